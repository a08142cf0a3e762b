// Processor time of the page's thread, from the browser's own trace.

/** The tasks that the page's thread did while `run` ran: { ms of processor time, names of performance marks set in it }. */
export async function mainThread(context, page, run) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "blink.user_timing", "__metadata"] } });
  await run();
  const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await ended;
  await session.detach();
  const key = (one) => `${one.pid} ${one.tid}`;
  const mains = new Set(events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain").map(key));
  const marks = events.filter((one) => one.cat.includes("blink.user_timing"));
  return events.filter((one) => mains.has(key(one)) && /RunTask$/.test(one.name) && one.tdur !== undefined).sort((a, b) => a.ts - b.ts)
    .map((task) => ({ ms: task.tdur / 1000, marks: marks.filter((one) => key(one) === key(task) && one.ts >= task.ts && one.ts <= task.ts + task.dur).map((one) => one.name) }));
}
