/* Shows one piece of a gallery large, with all its values. Loaded when a piece is first chosen. */
(function () {
  "use strict";
  var g = window.grimalkin, one = g.one, all = g.all, large = one("dialog.large"), open;
  g.enlarge = function (it, row) {
    var link = one("a", row.tr), look = one(".look", large), list = one("dl", large), picture = one("img", link);
    open = { it: it, row: row };
    look.textContent = list.textContent = "";
    if (picture) {
      var copy = picture.cloneNode();
      copy.loading = "eager";
      look.append(copy);
    }
    one(".heading", large).textContent = row.values[0];
    one(".words a", large).href = link.href;
    it.heads.slice(1).forEach(function (head) {
      var name = document.createElement("dt"), value = document.createElement("dd"), pair = document.createElement("div");
      name.textContent = head.label;
      value.textContent = row.values[head.at];
      pair.append(name, value);
      list.append(pair);
    });
    if (!large.open) large.showModal();
  };
  function turn(by) {
    var shown = all("tr:not([hidden])", open.it.body), next = shown[shown.indexOf(open.row.tr) + by];
    if (next) g.enlarge(open.it, open.it.rows.find(function (row) { return row.tr === next; }));
  }
  all("button[value]", large).forEach(function (button) {
    button.addEventListener("click", function () { turn(+button.value); });
  });
  large.addEventListener("keydown", function (event) {
    var by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) turn(by);
  });
  large.addEventListener("click", function (event) { if (event.target === large) large.close(); });
  large.addEventListener("close", function () { one("a", open.row.tr).focus(); });
})();
