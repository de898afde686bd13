"use strict";
{
  const table = document.querySelector("table");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const names = heads.map((head) => head.dataset.name);
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const everything = document.getElementById("all");
  const cells = rows.map((row) => Array.from(row.cells, (cell) => cell.textContent.toLocaleLowerCase()));
  const texts = cells.map((row) => row.join("\n"));
  // What the file holds, which may have more digits than the cell shows.
  const value = (cell) => cell.title || cell.textContent;

  const find = () => {
    const words = search.value.toLocaleLowerCase().match(/[^\s=]+="[^"]*"|\S+/g) ?? [];
    const tests = words.map((word) => {
      const [, name, not, cell] = /^([^=!]*)(!?)="?([^"]*)/.exec(word) ?? [];
      const column = names.findIndex((other) => other.toLocaleLowerCase() === name);
      return (number) => column === -1 ? texts[number].includes(word) : (cells[number][column] === cell) === !not;
    });
    let found = 0;
    rows.forEach((row, number) => {
      row.hidden = !tests.every((holds) => holds(number));
      found += row.hidden ? 0 : 1;
    });
    const all = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "row" : "rows"}`;
    shown.textContent = found < rows.length ? `${found.toLocaleString("en")} of ${all}` : all;
    none.hidden = found > 0;
    everything.hidden = search.value === "";
    draw();
  };

  const number = (row, column) => {
    const text = column === undefined ? "" : value(row.cells[column]);
    return text === "" ? NaN : Number(text);
  };
  const isNumber = (column) => heads[column].classList.contains("n");
  // The interval of a column `ratio` or `ratio_percent` is `ratio_low` and `ratio_high`, if numbers are inside.
  const intervals = names.map((name, column) => {
    const ends = ["low", "high"].map((end) => names.indexOf(`${name.replace(/_percent$/, "")}_${end}`));
    const outside = (row) => number(row, column) < number(row, ends[0]) || number(row, column) > number(row, ends[1]);
    return ends.includes(-1) || !isNumber(column) || rows.some(outside) ? [] : ends;
  });
  const numeric = names.flatMap((_, column) => isNumber(column) ? [column] : []);
  const has = (column) => column !== -1;
  const hasDecimals = (column) => rows.some((row) => value(row.cells[column]).includes("."));
  // What the chart is of at first; later of the column that is sorted by.
  let charted = [
    intervals.findIndex((ends) => ends.length), names.indexOf("verdict"), numeric.find(hasDecimals) ?? -1, numeric[0] ?? -1,
  ].find(has);
  const chart = document.getElementById("chart");
  const mostBars = 25;
  // What tells what a row's numbers are of: where it differs, so do their units.
  const units = names.flatMap((name, column) => ["column", "measure", "metric", "setting", "statistic"].includes(name) ? [column] : []);
  // A row is called by its texts, but for those that all rows share, up to the one that tells all rows apart.
  const called = (row, columns) => columns.map((column) => row.cells[column].textContent).filter(Boolean).join(", ");
  const differing = names.flatMap((_, column) =>
    !heads[column].className && new Set(rows.map((row) => called(row, [column])).filter(Boolean)).size > 1 ? [column] : []);
  const telling = differing.filter((_, number) =>
    new Set(rows.map((row) => called(row, differing.slice(0, number)))).size < rows.length);

  // The bars of numbers, one a row, or of how many rows have each text.
  const barsOf = (shown) => {
    if (charted !== undefined && isNumber(charted)) {
      return shown.filter((row) => !isNaN(number(row, charted))).map((row) => ({
        label: called(row, telling),
        value: number(row, charted),
        ends: intervals[charted].map((column) => number(row, column)).filter((end) => !isNaN(end)),
      }));
    }
    const counts = new Map();
    if (charted !== undefined) {
      shown.map((row) => row.cells[charted].textContent).forEach((text) => counts.set(text, (counts.get(text) ?? 0) + 1));
    }
    return Array.from(counts, ([text, count]) => ({ label: text || "(empty)", value: count, ends: [] }));
  };

  // As many digits as the cells show.
  const short = (value) => Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));

  // The next round number away from 0, for the ends of the axis.
  const round = (value) => {
    const power = 10 ** Math.floor(Math.log10(Math.abs(value) || 1));
    const digits = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((digit) => digit * power >= Math.abs(value)) ?? 10;
    return value && Number((Math.sign(value) * digits * power).toPrecision(2));
  };

  const shape = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, text]) => element.setAttribute(key, text));
    return element;
  };

  // The chart of the rows that are shown, in their order, each with its value; of numbers of one unit alone.
  const draw = () => {
    const shown = Array.from(body.rows).filter((row) => !row.hidden);
    const all = barsOf(shown);
    const bars = all.slice(0, mostBars);
    chart.hidden = bars.length === 0;
    if (chart.hidden) { return; }
    const caption = document.createElement("figcaption");
    const mixed = isNumber(charted) ? units.filter((column) => new Set(shown.map((row) => called(row, [column]))).size > 1) : [];
    if (mixed.length) {
      const one = document.createElement("a");
      const first = shown.find((row) => !isNaN(number(row, charted)));
      one.textContent = mixed.map((column) => `${names[column]}="${first.cells[column].textContent}"`).join(" ");
      one.href = `#${encodeURIComponent(one.textContent)}`;
      caption.append("No chart of numbers that may have several units; search for rows of one, such as ", one);
      chart.replaceChildren(caption);
      return;
    }
    const numbers = bars.flatMap((bar) => [bar.value, ...bar.ends]);
    const [low, high] = [round(Math.min(0, ...numbers)), round(Math.max(0, ...numbers))];
    const place = (of) => 100 * (of - low) / ((high - low) || 1);
    const title = heads[charted].textContent.trim() + (isNumber(charted) ? "" : ": rows");
    const some = all.length > bars.length ? `; the first ${bars.length} of ${all.length}` : "";
    caption.textContent = `${title}, from ${low} to ${high}${some}`;
    const grid = document.createElement("div");
    // A rate of women or men has the colour that it has in the figures.
    const genders = ["feminine", "masculine"].filter((gender) => names[charted].includes(gender));
    grid.className = genders.length === 1 ? genders[0] : "";
    grid.append(...bars.flatMap((bar) => {
      const [label, told] = [document.createElement("span"), document.createElement("span")];
      label.textContent = bar.label;
      told.textContent = `${short(bar.value)}${bar.ends.length ? ` [${bar.ends.map(short).join(", ")}]` : ""}`;
      told.className = "n";
      const svg = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
      const [left, right] = [place(Math.min(0, bar.value)), place(Math.max(0, bar.value))];
      svg.append(shape("rect", { x: left, y: 1, width: right - left, height: 8 }));
      svg.append(shape("line", { x1: place(0), x2: place(0), y1: 0, y2: 10 }));
      if (bar.ends.length === 2) {
        const [x1, x2] = bar.ends.map(place);
        svg.append(shape("line", { x1, x2, y1: 5, y2: 5 }));
      }
      return [label, svg, told];
    }));
    chart.replaceChildren(caption, grid);
  };

  const compare = (left, right, areNumbers) => {
    if (areNumbers) { return Number(left) - Number(right); }
    return left.localeCompare(right, undefined, { numeric: true });
  };

  const sort = (column) => {
    const head = heads[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const keys = new Map(rows.map((row) => [row, value(row.cells[column])]));
    const order = rows.slice().sort((a, b) => {
      const [left, right] = [keys.get(a), keys.get(b)];
      // Empty cells come last, whichever way.
      if (left === "" || right === "") { return (left === "") - (right === ""); }
      return (down ? -1 : 1) * compare(left, right, isNumber(column));
    });
    body.append(...order);
    // Long texts are no groups.
    charted = head.classList.contains("long") ? charted : column;
    draw();
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

  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    button.disabled = false;
    button.addEventListener("click", () => sort(column));
  });
  // Columns that the edge would cut are hidden until they are asked for. A rule is faster than each cell's style.
  const columns = document.getElementById("columns");
  const fit = () => {
    const sheet = document.styleSheets[0];
    if (columns.dataset.rule) { sheet.deleteRule(sheet.cssRules.length - 1); }
    const edge = table.parentElement.getBoundingClientRect().left + table.parentElement.clientWidth;
    const most = heads.findIndex((head) => head.getBoundingClientRect().right > edge + 1);
    columns.dataset.rule = most > 0 ? "fits" : "";
    columns.hidden = most <= 0;
    columns.textContent = columns.ariaPressed === "true" ? "Columns that fit" : `All ${heads.length} columns`;
    if (most > 0) {
      const hides = columns.ariaPressed === "true" ? "" : "display: none";
      sheet.insertRule(`@media screen { table tr > :nth-child(n + ${most + 1}) { ${hides} } }`, sheet.cssRules.length);
    }
  };
  columns.addEventListener("click", () => {
    columns.ariaPressed = String(columns.ariaPressed !== "true");
    fit();
  });
  window.addEventListener("resize", fit);
  fit();
  search.addEventListener("input", find);
  everything.addEventListener("click", () => {
    search.value = "";
    find();
    search.focus();
  });
  // A link to the page may name what is searched for.
  const follow = () => {
    const hash = location.hash.slice(1);
    try { search.value = decodeURIComponent(hash) || search.value; } catch { search.value = hash; } // a % alone is one
    find();
  };
  window.addEventListener("hashchange", follow);
  document.getElementById("download").addEventListener("click", download);
  document.querySelector(".tools").hidden = rows.length === 0;
  follow();
}
