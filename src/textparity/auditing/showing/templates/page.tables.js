"use strict";
// Long tables can be searched, and sorted by the heads of their columns.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  if (rows.length <= 30) { continue; }
  const search = Object.assign(document.createElement("input"), { type: "search", placeholder: "Search" });
  search.setAttribute("aria-label", "Search this table");
  search.addEventListener("input", () => {
    const text = search.value.trim().toLocaleLowerCase();
    rows.forEach((row) => { row.hidden = !row.textContent.toLocaleLowerCase().includes(text); });
  });
  table.parentElement.before(search);
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    // What is small below a number is its interval.
    const text = (row) => row.cells[column].firstChild?.textContent.trim() ?? "";
    const number = (row) => parseFloat(text(row).replaceAll(",", "").replace("∞", "Infinity"));
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending" ? -1 : 1;
      table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.ariaSort = down === 1 ? "ascending" : "descending";
      const isNumber = head.classList.contains("n");
      body.append(...rows.slice().sort((a, b) => {
        if (!isNumber) { return down * text(a).localeCompare(text(b), undefined, { numeric: true }); }
        const [left, right] = [number(a), number(b)];
        // Rows without a number come last, whichever way.
        return isNaN(left) || isNaN(right) ? isNaN(left) - isNaN(right) : down * (left - right || 0);
      }));
    });
  });
}
