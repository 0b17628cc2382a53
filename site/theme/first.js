(function(r){r.classList.add("js");try{var t=localStorage.getItem("grimalkin-paper");if(t)r.dataset.paper=t}catch(e){}})(document.documentElement)
