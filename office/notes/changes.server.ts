import { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Note } from "#app/owner/notes.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import type { Permission } from "#app/staff/roles.ts";
import { change } from "../http/changes.server.ts";

type Params = { [name: string]: string | undefined };

/** The change that adds a note. */
export function noteChange(needs: Permission, work: (by: Actor, params: Params, note: Note) => Promise<Done>) {
  return change({
    needs,
    fields: z.object({
      id: z.uuid(),
      text: z.string().trim().min(1, "Write something").max(2000, "At most 2,000 characters"),
    }),
    run: async ({ by, fields, params }) => work(by, params, fields),
  });
}
