import type { ReactNode } from "react";
import { Link } from "react-router";
import { State } from "../frame/state.tsx";
import { TextState } from "./table.tsx";

/** `text`: the newest sentence. `inCode`: the one in code if the newest differs. `planned`: from when one is shown. */
export type ListedMessage = {
  page: string;
  topic: string;
  text: string;
  inCode?: string;
  isChanged: boolean;
  planned?: Date;
};

type Props = {
  messages: ListedMessage[];
  /** The sentences that cannot be changed. */
  locked: readonly string[];
  /** Whether all topics are open, as for the results of a search. */
  isOpen: boolean;
};

/** The shop's sentences by topic, each a link to its screen. */
export function Messages({ messages, locked, isOpen }: Props) {
  const topics = [...new Set(messages.map(({ topic }) => topic))];
  return (
    <div className="divide-y divide-hairline border-y border-hairline">
      {topics.map((name) => (
        <Topic key={`${name} ${isOpen}`} name={name} isOpen={isOpen}>
          {messages
            .filter(({ topic }) => topic === name)
            .map(({ page, text, inCode, isChanged, planned }) => (
              <li key={page} className="py-1">
                <Link
                  to={`/words/${page}`}
                  className="inline-flex min-h-11 items-center wrap-anywhere underline underline-offset-3 hover:text-palm lg:min-h-9"
                >
                  {text}
                </Link>{" "}
                {(isChanged || planned) && <TextState isChanged={isChanged} planned={planned} />}{" "}
                {inCode && (
                  <span className="block text-[0.8125rem] leading-4.5 text-muted">{`At first: ${inCode}`}</span>
                )}
              </li>
            ))}
        </Topic>
      ))}
      {locked.length > 0 && (
        <Topic name="These stay as they are" isOpen={isOpen}>
          {locked.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences may be the same
            <li key={at} className="py-2 text-muted wrap-anywhere">
              <span>{text}</span> <State tone="rest">Locked</State>
            </li>
          ))}
        </Topic>
      )}
    </div>
  );
}

type TopicProps = { name: string; isOpen: boolean; children: ReactNode[] };

function Topic({ name, isOpen, children }: TopicProps) {
  return (
    <details open={isOpen}>
      <summary className="flex min-h-11 items-center gap-2 font-semibold">
        <span>{name}</span> <span className="font-normal text-muted tabular-nums">{children.length}</span>
      </summary>
      <ul className="pb-3">{children}</ul>
    </details>
  );
}
