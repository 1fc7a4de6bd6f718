import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { hyphened } from "#app/infra/text/fold.ts";
import { name } from "#app/owner/kinds/document.server.ts";
import { ID_MAX, TAKEN_ID } from "#app/owner/kinds/kind.ts";
import { addKind, moveKind, removeKind, renameKind } from "#app/owner/kinds/kinds.server.ts";
import { change } from "../http/changes.server.ts";

const kind = z.string().max(ID_MAX);

export const KIND_CHANGES = {
  add: change({
    needs: "catalogue",
    fields: z.object({ name, address: z.string().max(200).default("") }),
    returnsTyped: true,
    run: async ({ by, fields: { name, address } }) => {
      const id = hyphened(address || name, ID_MAX);
      if (!id || id === TAKEN_ID)
        return { ok: false, problems: { address: "Another one, with letters from a to z, or digits" } };
      const added = await addKind(db(), by, { id, name });
      return added.ok ? { ok: true, what: `${name} is added. Products can be given it now.` } : added;
    },
  }),
  rename: change({
    needs: "catalogue",
    fields: z.object({ kind, name, was: z.string().max(200) }),
    returnsTyped: true,
    run: async ({ by, fields: { kind: id, name, was } }) => {
      const done = await renameKind(db(), by, { id, name, was });
      if (done.ok) return { ok: true, what: `It’s called ${name} now.` };
      if ("isStale" in done) return { ok: false, problem: `Somebody else has called it ${done.name} meanwhile` };
      return done;
    },
  }),
  move: change({
    needs: "catalogue",
    fields: z.object({ kind, before: kind.default("") }),
    run: async ({ by, fields: { kind: id, before } }) => {
      await moveKind(db(), by, id, before);
      return { ok: true, what: "Moved." };
    },
  }),
  remove: change({
    needs: "catalogue",
    fields: z.object({ kind }),
    run: async ({ by, fields: { kind: id } }) => {
      await removeKind(db(), by, id);
      return { ok: true, what: "Removed." };
    },
  }),
};
