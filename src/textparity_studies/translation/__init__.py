"""Whether translations keep the gender of persons (Stanovsky, Smith and Zettlemoyer 2019)."""
