import { Time } from "../frame/times.tsx";

/** The deadline for answering a dispute, if the provider has given one. */
export function AnswerBy({ dueAt }: { dueAt?: Date }) {
  if (!dueAt) return null;
  return (
    <strong className="font-semibold">
      Answer by <Time at={dueAt} look="weekday" />.
    </strong>
  );
}
