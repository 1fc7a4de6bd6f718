/**
 * One event of a browser's trace. `ts`, `dur` and `tdur` are in microseconds; `tdur` is the part of `dur` in which the
 * thread had a core.
 */
export type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
};

type Task = { from: number; to: number; worked: number };

/**
 * Removes waiting from the page's tasks: each task shrinks to the processor time of its thread, and the events in it
 * shrink in proportion. On two cores, a browser waits in the middle of a task for a core that its other processes or
 * the recorder use, or for an answer of these.
 */
export function withoutWaiting<Event extends TraceEvent>(events: Event[]): Event[] {
  const page = busiest(events.filter(({ name }) => name === "ParseHTML" || name === "FunctionCall"));
  const tasks = outermost(events.filter((event) => threadOf(event) === page && event.name.endsWith("RunTask")));
  return events.map((event) => {
    const task = threadOf(event) === page ? tasks.findLast(({ from }) => from <= event.ts) : undefined;
    if (!task || event.ts > task.to) return event;
    const inside = event.ts + (event.dur ?? 0) <= task.to;
    return {
      ...event,
      ts: Math.round(task.from + (event.ts - task.from) * task.worked),
      ...(event.dur && inside && { dur: Math.max(1, Math.round(event.dur * task.worked)) }),
    };
  });
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}

function busiest(events: TraceEvent[]): string | undefined {
  return [...Map.groupBy(events, threadOf)].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** The outermost tasks, one after the other, without the tasks within them. */
function outermost(events: TraceEvent[]): Task[] {
  const tasks: Task[] = [];
  for (const { ph, ts, dur = 0, tdur } of events.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0)))
    if (ph === "X" && dur > 0 && tdur !== undefined && ts >= (tasks.at(-1)?.to ?? 0))
      tasks.push({ from: ts, to: ts + dur, worked: Math.min(1, tdur / dur) });
  return tasks;
}
