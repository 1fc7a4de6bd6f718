import type { ReactNode } from "react";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";

type Props = {
  /** What somebody else has done. */
  head: ReactNode;
  /** The buttons that choose. A form that works without JavaScript has none: sent again, it replaces theirs. */
  choice?: ReactNode;
  /** The other member's version, and what to do next. */
  children?: ReactNode;
};

/** Says that nothing was saved, because somebody else has changed the same values meanwhile. */
export function ConflictNotice({ head, choice, children }: Props) {
  return (
    <Notice kind="conflict" actions={choice}>
      <strong className="font-semibold">{head}</strong> What you typed is still here, and hasn’t been saved. {children}
    </Notice>
  );
}

type StaleProps = { form: { isStale: boolean }; what: string; theirs: string };

/** The notice of a form with a version, which replaces theirs when it is sent again. */
export function StaleNotice({ form, what, theirs }: StaleProps) {
  if (!form.isStale) return null;
  return (
    <ConflictNotice head={`Somebody else has changed ${what}.`}>
      <span className="wrap-anywhere">{`Theirs: ${theirs}.`}</span> Save again to replace it.
    </ConflictNotice>
  );
}

/** The buttons of a conflict. `about` tells those of several conflicts apart. */
export function Choice({ about, onMine, onTheirs }: { about?: string; onMine(): void; onTheirs?(): void }) {
  const button = (title: string, onPress: () => void) => (
    <Button type="button" look="line" aria-label={about && `${title} (${about})`} onPress={onPress}>
      {title}
    </Button>
  );
  return (
    <>
      {button("Keep mine", onMine)}
      {onTheirs && button("Take theirs", onTheirs)}
    </>
  );
}
