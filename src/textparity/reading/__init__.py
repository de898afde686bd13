"""Read the texts of files and datasets: one module for each format, listed in `formats`."""
