import { Link } from "react-router";
import { Time } from "../frame/times.tsx";
import { fieldWords, valueWords } from "./field-words.ts";
import type { AuditLine } from "./lines.server.ts";

const COLUMNS = "lg:grid lg:grid-cols-[8rem_minmax(0,14rem)_10rem_minmax(0,1fr)] lg:gap-4";

/** A change as a list item: its time, its actor, and what changed from what to what. */
export function Change({ row }: { row: AuditLine }) {
  const { at, actor, door, action, subjectKind, subjectId, number, to, before, after } = row;
  const name = number ?? subjectId;
  return (
    <li className={`border-b border-hairline py-2.5 ${COLUMNS}`}>
      <span className="text-muted">
        <Time at={at} />
      </span>{" "}
      <span className="truncate max-lg:float-right max-lg:max-w-[60%] max-lg:text-muted">
        {actor}
        {door === "command" && <span className="text-muted"> by command</span>}
      </span>{" "}
      <span className="font-semibold max-lg:block">{action}</span>
      <div className="wrap-anywhere">
        {subjectKind}{" "}
        {to ? (
          <Link to={to} className="font-medium underline underline-offset-3 max-lg:py-3">
            {name}
          </Link>
        ) : (
          <span className="font-medium">{name}</span>
        )}
        {(before || after) && <Difference before={before} after={after} />}
      </div>
    </li>
  );
}

/** The changed fields by name. */
function Difference({ before, after }: { before: object | null; after: object | null }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <dl className="mt-0.5 text-[0.8125rem] leading-4.5 text-muted">
      {names.map((name) => (
        <div key={name} className="flex flex-wrap gap-x-1.5">
          <dt>{fieldWords(name)}:</dt>
          <dd>
            {shown(before, name)}
            <span>{before && after && " → "}</span>
            {after && <span className="text-ink">{shown(after, name)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shown(side: object | null, name: string): string {
  return side ? valueWords(name, Reflect.get(side, name)) : "";
}
