/* Finds an id that is elsewhere by now, or that somebody pasted with other capitals and with signs around it.

   Loaded when the target of an address is not on its page, and on the page for missing pages. A gallery finds its cards by
   itself. */
(function () {
  "use strict";
  var g = window.grimalkin, site = new URL(g.base + "/", location.href).href, isLost = document.documentElement.dataset.kind === "lost";
  function plain(text) {
    try { text = decodeURIComponent(text); } catch (e) { /* a stray % */ }
    return text.replace(/[?&].*/, "").replace(/\.html$/, "").replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").toLowerCase();
  }
  function lead(id) {
    var games = window.grimalkinIds, own = location.href.slice(site.length).split("/")[0];
    return Object.keys(games).sort(function (a, b) { return (b === own) - (a === own); }).some(function (game) {
      return Object.keys(games[game]).some(function (page) {
        var found = games[game][page].split(" ").find(function (one) { return one.replace("=", "").toLowerCase() === id; });
        if (found) location.replace(site + game + "/" + page + (found[0] === "=" ? "" : "#" + found));
        return found;
      });
    });
  }
  function seek() {
    var texts = [location.hash.slice(1)].concat(isLost ? location.pathname.split("/").reverse() : []);
    var ids = texts.map(plain).filter(function (id) { return id && !id.includes("="); });
    var near = !g.target() && g.all("[id]").find(function (there) { return ids.includes(there.id.toLowerCase()); });
    if (near) location.replace("#" + near.id);
    else if (ids.length && !g.target()) g.load(g.base + "/assets/ids.js", function () { ids.some(lead); });
  }
  if (!g.one(".gallery")) seek();
})();
