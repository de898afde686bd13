"use strict";
{
  const table = document.querySelector("table");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const texts = rows.map((row) => Array.from(row.cells, (cell) => cell.textContent).join("\n").toLocaleLowerCase());
  // What the file holds, which may have more digits than the cell shows.
  const value = (cell) => cell.title || cell.textContent;

  const find = () => {
    const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    rows.forEach((row, number) => {
      row.hidden = !words.every((word) => texts[number].includes(word));
      found += row.hidden ? 0 : 1;
    });
    shown.textContent = `${found} of ${rows.length} rows`;
    none.hidden = found > 0;
  };

  const compare = (left, right, isNumber) => {
    if (isNumber) { return Number(left) - Number(right); }
    return left.localeCompare(right, undefined, { numeric: true });
  };

  const sort = (column) => {
    const head = heads[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const isNumber = head.classList.contains("n");
    const keys = new Map(rows.map((row) => [row, value(row.cells[column])]));
    const order = rows.slice().sort((a, b) => {
      const [left, right] = [keys.get(a), keys.get(b)];
      // Empty cells come last, whichever way.
      if (left === "" || right === "") { return (left === "") - (right === ""); }
      return (down ? -1 : 1) * compare(left, right, isNumber);
    });
    body.append(...order);
  };

  const quoted = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const download = () => {
    const lines = [heads.map((head) => quoted(head.dataset.name))];
    for (const row of body.rows) {
      if (!row.hidden) { lines.push(Array.from(row.cells, (cell) => quoted(value(cell)))); }
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.map((line) => line.join(",")).join("\n") + "\n"], { type: "text/csv" }));
    link.download = table.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => sort(column)));
  search.addEventListener("input", find);
  document.getElementById("download").addEventListener("click", download);
  find();
}
