// Hears what a page tells, until the function that it answers is called.
export function hear(page, handlers) {
  const all = Object.entries(handlers);
  for (const [event, act] of all) page.on(event, act);
  return () => { for (const [event, act] of all) page.off(event, act); };
}
