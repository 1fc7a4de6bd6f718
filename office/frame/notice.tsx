import type { ReactNode } from "react";
import { CheckIcon, InfoIcon } from "#app/ui/icons.tsx";
import { Button, PlainLink } from "./button.tsx";
import { OfflineIcon, PeopleIcon, WarningIcon } from "./icons.tsx";

type Kind = "error" | "conflict" | "offline" | "done" | "info";

const KINDS: Record<Kind, { ground: string; Icon: typeof InfoIcon; role: "alert" | "status" }> = {
  error: { ground: "bg-person-ground [&>svg]:text-error", Icon: WarningIcon, role: "alert" },
  conflict: { ground: "bg-waiting-ground [&>svg]:text-waiting", Icon: PeopleIcon, role: "alert" },
  offline: { ground: "bg-linen", Icon: OfflineIcon, role: "status" },
  done: { ground: "bg-done-ground [&>svg]:text-done", Icon: CheckIcon, role: "status" },
  info: { ground: "bg-linen", Icon: InfoIcon, role: "status" },
};

/** A message of a screen. `actions` are buttons for what can be done about it. */
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

/** A link to a preview in the shop that was just made. */
export function PreviewNotice({ link }: { link: string }) {
  return (
    <Notice
      kind="info"
      actions={
        <PlainLink href={link} target="_blank" rel="noopener">
          Open the preview
        </PlainLink>
      }
    >
      Nothing is saved yet. Open the preview within a minute: its link works once.
    </Notice>
  );
}

/** A notice above a form that was filled with unsaved input from an earlier visit. */
export function UnsavedNotice({ onDiscard }: { onDiscard(): void }) {
  return (
    <Notice
      kind="info"
      actions={
        <Button type="button" look="line" onPress={onDiscard}>
          Discard them
        </Button>
      }
    >
      Your unsaved changes are back.
    </Notice>
  );
}
