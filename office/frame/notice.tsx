import type { ReactNode } from "react";
import { CheckIcon, InfoIcon } from "#app/ui/icons.tsx";
import { Button } from "./button.tsx";
import { OfflineIcon, PeopleIcon, WarningIcon } from "./icons.tsx";

type Kind = "error" | "conflict" | "offline" | "done" | "info";

const KINDS: Record<Kind, { ground: string; Icon: typeof InfoIcon; role: "alert" | "status" }> = {
  error: { ground: "bg-person-ground [&>svg]:text-error", Icon: WarningIcon, role: "alert" },
  conflict: { ground: "bg-waiting-ground [&>svg]:text-waiting", Icon: PeopleIcon, role: "alert" },
  offline: { ground: "bg-linen", Icon: OfflineIcon, role: "status" },
  done: { ground: "bg-done-ground [&>svg]:text-done", Icon: CheckIcon, role: "status" },
  info: { ground: "bg-linen", Icon: InfoIcon, role: "status" },
};

/** What a screen has to say of itself; `actions` are what can be done about it. */
export function Notice({ kind, children, actions }: { kind: Kind; children: ReactNode; actions?: ReactNode }) {
  const { ground, Icon, role } = KINDS[kind];
  return (
    <div role={role} className={`mt-4 grid grid-cols-[1.25rem_minmax(0,1fr)] gap-2.5 rounded-cut p-3 ${ground}`}>
      <Icon className="size-5" />
      <div>
        {children}
        {actions && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}

/** Above a form that shows what was typed before and never saved. */
export function UnsavedNotice({ onDiscard }: { onDiscard(): void }) {
  return (
    <Notice
      kind="info"
      actions={
        <Button type="button" look="line" onPress={onDiscard}>
          Throw it away
        </Button>
      }
    >
      What you changed and did not save is here again.
    </Notice>
  );
}
