/* The search: mkdocs' index, asked by lunr on the page itself, so that it also works from disk. Loaded when first used. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all, load = g.load, base = g.base;
  var field = one("#q"), found = one("#found"), status = one("p", found), list = one("ol", found);
  /* The folder of the game that the reader is in: what it says comes before what others say alike. */
  var here = location.href.slice(new URL(base + "/", location.href).href.length).split(/[?#]/)[0].match(/^[^/]+\//);
  var said, docs, index;
  function prepare() {
    var sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = base + "/assets/search.css";
    document.head.append(sheet);
    load(base + "/assets/lunr.js", function () {
      load(base + "/assets/search-index.js", function () {
        said = window.grimalkinSaid;
        docs = window.grimalkinIndex.map(function (d, i) {
          return { i: i, at: d[0], title: d[1], text: d[2], kind: d[3], page: d[4], id: d[0].split("#")[1] || "" };
        });
        index = build(window.lunr);
        if (field.value.trim()) search();
      });
    });
  }
  function words(text) { return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean); }
  function build(lunr) {
    /* Each word is kept as it is, for prefixes while typing, and as its stem, for its other forms. */
    function forms(token) { return [token.clone(), lunr.stemmer(token.clone())]; }
    lunr.Pipeline.registerFunction(forms, "forms");
    var weights = { term: 3, rule: 2.5, ruling: 1.6, component: 1.6 };
    return lunr(function () {
      var builder = this;
      builder.tokenizer.separator = /[^\p{L}\p{N}]+/u;
      builder.pipeline.reset();
      builder.pipeline.add(forms);
      builder.ref("i");
      builder.field("title", { boost: 8 });
      builder.field("text");
      docs.forEach(function (d) { builder.add(d, { boost: weights[d.kind] || 1 }); });
    });
  }
  function matches(word) {
    var lunr = window.lunr, stem = lunr.stemmer(new lunr.Token(word, {})).toString(), scores = new Map();
    index.query(function (q) {
      q.term(word, { boost: 8, usePipeline: false });
      if (stem !== word) q.term(stem, { boost: 4, usePipeline: false });
      q.term(word, { boost: 1, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    }).forEach(function (r) { scores.set(+r.ref, r.score); });
    return scores;
  }
  function rank(text) {
    /* Ids and titles first, then what lunr finds in the text. Every word must be there. */
    var q = text.trim().toLowerCase(), asked = words(text), total = new Map();
    asked.map(matches).forEach(function (scores, n) {
      if (n === 0) { total = scores; return; }
      total.forEach(function (score, i) {
        if (scores.has(i)) total.set(i, score + scores.get(i)); else total.delete(i);
      });
    });
    docs.forEach(function (d) {
      var id = d.id.toLowerCase(), title = d.title.toLowerCase(), bare = title.replace(/^[\w.]*\d\s+/, ""), bonus = 0;
      if (d.kind && (id === q || id.endsWith("-" + q))) bonus = 1000;
      else if (d.kind && q.length > 2 && ("-" + id).includes("-" + q)) bonus = 300 - id.length;
      if (title.split(" ")[0] === q && /\d/.test(q)) bonus = Math.max(bonus, 900);
      if (bare === q) bonus = Math.max(bonus, d.kind ? 500 : 400);
      else if (bare.startsWith(q)) bonus = Math.max(bonus, 200);
      if (d.kind === "term" && words(d.text.split(said["search-also"])[1] || "").includes(q)) bonus = Math.max(bonus, 350);
      if (bonus) total.set(d.i, (total.get(d.i) || 0) + bonus);
      if (here && total.has(d.i) && d.at.startsWith(here[0])) total.set(d.i, total.get(d.i) * 1.2);
    });
    return Array.from(total).sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; }).map(function (p) { return docs[p[0]]; });
  }
  function marked(text, asked, parent) {
    /* Text with the words that were asked for marked; built from text nodes, so nothing in it can become markup. */
    var pattern = asked.map(function (word) { return word.replace(/[^\p{L}\p{N}]/gu, ""); }).filter(Boolean).join("|");
    var parts = pattern ? text.split(new RegExp("(?<![\\p{L}\\p{N}])(" + pattern + ")", "iu")) : [text];
    parts.forEach(function (part, n) {
      if (n % 2) { var m = document.createElement("mark"); m.textContent = part; parent.append(m); } else parent.append(part);
    });
  }
  function snippet(text, asked) {
    var low = text.toLowerCase(), at = -1;
    asked.forEach(function (word) { var i = low.indexOf(word); if (i >= 0 && (at < 0 || i < at)) at = i; });
    var from = Math.max(0, at - 50);
    if (from) from = text.indexOf(" ", from) + 1;
    var end = text.length > from + 150 ? text.lastIndexOf(" ", from + 150) : text.length;
    return (from ? "… " : "") + text.slice(from, end) + (end < text.length ? " …" : "");
  }
  function search() {
    var q = field.value.trim();
    list.textContent = "";
    found.hidden = !q;
    if (!q) return;
    if (!index) { status.textContent = "…"; return; }
    var hits = rank(q), asked = words(q);
    var text = hits.length ? hits.length === 1 ? said["search-one"] : said["search-some"] : said["search-none"];
    status.textContent = text.replace("{n}", hits.length).replace("{q}", q);
    hits.slice(0, 30).forEach(function (d) {
      var item = document.createElement("li"), link = document.createElement("a");
      var title = document.createElement("b"), where = document.createElement("span"), line = document.createElement("span");
      link.href = base + "/" + d.at;
      marked(d.title, asked, title);
      where.className = "where";
      where.textContent = [d.kind, /^[A-Z]/.test(d.id) ? d.id : "", d.page].filter(Boolean).join(" · ");
      line.className = "line";
      marked(snippet(d.text, asked), asked, line);
      link.append(title, where, line);
      item.append(link);
      list.append(item);
    });
  }
  field.addEventListener("input", search);
  field.form.addEventListener("submit", function (event) {
    event.preventDefault();
    var best = one("a", list);
    if (best && !found.hidden) { found.hidden = true; location.href = best.href; }
  });
  field.addEventListener("focus", function () { if (field.value.trim()) search(); });
  one(".seek").addEventListener("keydown", function (event) {
    var stops = [field].concat(all("a", list)), at = stops.indexOf(document.activeElement);
    if (event.key === "Escape") { found.hidden = true; field.focus(); found.hidden = true; return; }
    var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !found.hidden && stops[at + step]) { event.preventDefault(); stops[at + step].focus(); }
  });
  document.addEventListener("click", function (event) {
    if (!one(".seek").contains(event.target) || event.target.closest("#found a")) found.hidden = true;
  });
  prepare();
  search();
})();
