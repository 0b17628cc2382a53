/* The gallery: turns the plain table of a deck into pictures to filter and sort; the state is kept in the address. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all, called = false, NOTHING = { terms: [], words: [], problems: [] };
  var current;
  var ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", "thead th": "columnheader", "tbody th": "rowheader", td: "cell" };
  var decks = all(".decks a").map(function (link) { return link.textContent; });
  var galleries = all(".gallery").map(function (section) {
    var form = one("form", section), table = one("table", section);
    /* As pictures, the table is laid out as a grid; the roles keep it a table for screen readers. */
    Object.keys(ROLES).forEach(function (name) {
      (name === "table" ? [table] : all(name, table)).forEach(function (part) { part.setAttribute("role", ROLES[name]); });
    });
    var it = { id: section.dataset.deck, name: one("h2", section).textContent, section: section, form: form, body: one("tbody", table), sort: "", down: false, look: "pictures" };
    it.heads = all("thead th", table).map(function (th, at) {
      var key = th.dataset.key, label = th.firstChild.textContent.trim(), button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", function () {
        /* Ascending, then descending, then in deck order. */
        var again = it.sort === key;
        it.sort = again && it.down ? "" : key;
        it.down = again && !it.down;
        changed();
      });
      th.firstChild.replaceWith(button);
      var order = all("input[type=checkbox]", form).filter(function (box) { return box.name === key; });
      return { key: key, label: label, at: at, th: th, kind: th.dataset.kind, order: order.map(function (box) { return box.value; }) };
    });
    it.rows = all("tr", it.body).map(function (tr, n) {
      var alt = one("img", tr);
      return { tr: tr, n: n, cells: all("th,td", tr), alt: alt ? alt.alt : "" };
    });
    it.rows.forEach(function (row) {
      row.values = row.cells.map(function (cell, at) {
        cell.classList.toggle("n", it.heads[at].kind === "number");
        return cell.textContent;
      });
      /* The format of cards.js. */
      row.asked = { name: row.values[0], deck: it.name, text: row.values.concat(row.alt).join("\n"), values: Object.create(null) };
      it.heads.slice(1).forEach(function (head) { row.asked.values[head.key] = row.values[head.at]; });
      one("a", row.tr).addEventListener("click", function (event) {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        enlarge(it, row);
      });
    });
    all(".asking dt", form).forEach(function (place) {
      var link = document.createElement("a"), text = place.textContent.trim();
      link.href = "#" + new URLSearchParams({ deck: it.id, find: text });
      link.textContent = text;
      place.replaceChildren(link);
    });
    form.hidden = false;
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("input", changed);
    finder(form).addEventListener("focus", understand);
    form.addEventListener("reset", function () {
      it.sort = "";
      it.down = false;
      setTimeout(changed);
    });
    all(".looks button", form).forEach(function (button) {
      button.addEventListener("click", function () { it.look = button.value; changed(); });
    });
    return it;
  });

  function finder(form) {
    /* Not form.elements.find: a column may be named "elements". */
    return one("[name=find]", form);
  }
  function wanted(it) {
    /* Return the filters of the form: typed words and columns, values by column, and bounds by column. */
    var form = it.form, asks = { find: finder(form).value.trim(), chosen: Object.create(null), bounds: Object.create(null) };
    asks.query = asks.find && g.cards ? g.cards.parse(asks.find, columns(it), decks.length ? decks : [it.name]) : NOTHING;
    if (asks.find) understand();
    all("fieldset input", form).forEach(function (input) {
      if (input.type === "number") (asks.bounds[input.name] = asks.bounds[input.name] || []).push(input.value);
      else if (input.checked) (asks.chosen[input.name] = asks.chosen[input.name] || []).push(input.value);
    });
    Object.keys(asks.bounds).forEach(function (key) { if (!asks.bounds[key].join("")) delete asks.bounds[key]; });
    return asks;
  }
  function understand() {
    /* Load the parser of queries on first use. */
    if (!called) g.load(g.base + "/assets/cards.js", function () { show(current); });
    called = true;
  }
  function columns(it) {
    it.columns = it.columns || it.heads.slice(1).map(function (head) {
      return g.cards.described({ key: head.key, label: head.label, kind: head.kind }, it.rows.map(function (row) { return row.values[head.at]; }));
    });
    return it.columns;
  }
  function fits(it, row, asks) {
    return (asks.query === NOTHING || g.cards.matches(row.asked, asks.query)) &&
      it.heads.every(function (head) {
        var value = row.values[head.at], chosen = asks.chosen[head.key], bounds = asks.bounds[head.key];
        if (chosen && !chosen.includes(value)) return false;
        /* A value that is not a number is outside all bounds. */
        return !bounds || (bounds[0] === "" || +value >= +bounds[0]) && (bounds[1] === "" || +value <= +bounds[1]);
      });
  }
  function compared(head, down) {
    return function (a, b) {
      var x = a.values[head.at], y = b.values[head.at], by;
      if (head.kind === "number" && isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1; /* rows without a number come last */
      if (head.kind === "number") by = isNaN(x) ? 0 : x - y;
      else if (head.order.length) by = head.order.indexOf(x) - head.order.indexOf(y);
      else by = x.localeCompare(y);
      return (down ? -by : by) || a.n - b.n;
    };
  }
  function show(it) {
    var asks = wanted(it), head = it.heads.find(function (one) { return one.key === it.sort; }), n = 0;
    var rows = head ? it.rows.slice().sort(compared(head, it.down)) : it.rows;
    rows.forEach(function (row) {
      row.tr.hidden = !fits(it, row, asks);
      n += !row.tr.hidden;
      it.body.append(row.tr);
      row.cells.forEach(function (cell, at) {
        cell.classList.toggle("sorted", Boolean(head) && at === head.at);
        if (head && at === head.at) cell.dataset.label = head.label;
      });
    });
    it.heads.forEach(function (one) {
      if (one === head) one.th.setAttribute("aria-sort", it.down ? "descending" : "ascending");
      else one.th.removeAttribute("aria-sort");
    });
    all(".looks button", it.form).forEach(function (button) { button.setAttribute("aria-pressed", button.value === it.look); });
    it.section.classList.toggle("pictures", it.look === "pictures");
    var status = one("[role=status]", it.form);
    status.textContent = (n ? status.dataset.some : status.dataset.none).replace("{n}", n).replace("{all}", it.rows.length);
    tell(it, asks.query);
    return asks;
  }
  function tell(it, query) {
    /* Report the parts of the query that cannot be answered, and why. */
    var said = JSON.parse(one("[data-said]").dataset.said), told = query.problems.map(function (problem) { return g.cards.told(problem, said); });
    var other = { terms: query.terms.filter(function (term) { return term.key === "deck"; }), words: [] };
    if (other.terms.length && !g.cards.matches(it.rows[0].asked, other)) told.push(said["gallery-elsewhere"].replace("{deck}", it.name));
    one(".unread", it.form).textContent = told.join(" ");
  }
  function changed() {
    unmark();
    var it = current, asks = show(it), said = new URLSearchParams();
    if (it !== galleries[0]) said.set("deck", it.id);
    if (asks.find) said.set("find", asks.find);
    Object.keys(asks.chosen).forEach(function (key) { asks.chosen[key].forEach(function (value) { said.append(key, value); }); });
    Object.keys(asks.bounds).forEach(function (key) { said.set(key, asks.bounds[key].join("..")); });
    if (it.sort) said.set("sort", (it.down ? "-" : "") + it.sort);
    if (it.look !== "pictures") said.set("view", it.look);
    history.replaceState(null, "", location.href.split("#")[0] + (String(said) && "#" + said));
  }
  function unmark() {
    all(".gallery .here").forEach(function (tr) { tr.classList.remove("here"); });
  }
  function cardOf(id) {
    /* Return the card that an address names, and its gallery. */
    return galleries.map(function (it) {
      return { it: it, row: it.rows.find(function (row) { return one("a", row.tr).hash === "#" + id; }) };
    }).find(function (one) { return one.row; });
  }
  function read() {
    /* Apply the address. The anchor of a deck selects the deck, that of a card marks it; any other changes nothing. */
    unmark();
    var hash = location.hash.slice(1), said = new URLSearchParams(hash.includes("=") ? hash : "");
    var deck = said.get("deck") || hash.replace("gallery-", "");
    var found = galleries.find(function (it) { return it.id === deck; });
    var named = hash && !found && cardOf(hash);
    if (hash && !hash.includes("=") && !found && !named && current) return;
    current = found || (named || {}).it || galleries[0];
    galleries.forEach(function (it) {
      it.section.hidden = it !== current;
      if (it !== current) return;
      finder(it.form).value = said.get("find") || "";
      all("fieldset input", it.form).forEach(function (input) {
        if (input.type === "checkbox") input.checked = said.getAll(input.name).includes(input.value);
      });
      all("fieldset.between", it.form).forEach(function (field) {
        var ends = all("input", field), bounds = (said.get(ends[0].name) || "").split("..");
        ends.forEach(function (input, n) { input.value = bounds[bounds.length > 1 ? n : 0]; });
      });
      var sort = said.get("sort") || "";
      it.down = sort[0] === "-";
      it.sort = sort.replace(/^-/, "");
      it.look = said.get("view") === "table" ? "table" : "pictures";
      var folded = one(".sifting", it.form);
      folded.open = roomy.matches || all("fieldset :checked", it.form).length > 0;
      show(it);
    });
    if (named) {
      named.row.tr.classList.add("here");
      named.row.tr.scrollIntoView();
    }
    all(".decks a").forEach(function (link) {
      if (link.hash === "#gallery-" + current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  function enlarge(it, row) {
    /* Load the view of a single piece on first use. */
    if (g.enlarge) g.enlarge(it, row);
    else g.load(g.base + "/assets/large.js", function () { g.enlarge(it, row); });
  }

  var roomy = matchMedia("(min-width: 48rem)");
  addEventListener("hashchange", read);
  read();
  document.body.classList.add("ready");
})();
