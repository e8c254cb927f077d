/* Not a module: it runs before the first paint, so that a dark page does not flash. */
{
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = localStorage.getItem("theme");
    document.documentElement.dataset.theme = chosen ?? (isDark.matches ? "dark" : "light");
  };
  isDark.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();
}
