import { redirect } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { MOST_COLLECTIONS } from "#app/owner/collections/collection.ts";
import { addSizeGuide, changeSizeGuide, deleteSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import { change, outdated } from "../http/changes.server.ts";
import { GRID_FIELDS } from "./grid.ts";
import { readTyped, TYPED_FIELDS } from "./typed.server.ts";

/** The size of a form with the table and a field for each collection. */
const size = { fields: GRID_FIELDS.length + MOST_COLLECTIONS + 20 };

export const NEW_SIZE_GUIDE_CHANGES = {
  add: change({
    needs: "catalogue",
    size,
    fields: z.object(TYPED_FIELDS),
    returnsTyped: true,
    run: async ({ by, fields }) => {
      const read = readTyped(fields);
      if (read.problems) return { ok: false, problems: read.problems };
      const added = await addSizeGuide(db(), by, read.wish);
      return added.ok ? redirect(`/size-guides/${added.id}`) : added;
    },
  }),
};

export const SIZE_GUIDE_CHANGES = {
  save: change({
    needs: "catalogue",
    size,
    fields: z.object({ ...TYPED_FIELDS, version: z.coerce.number().int() }),
    returnsTyped: true,
    run: async ({ by, params: { id = "" }, fields: { version: seen, ...typed } }) => {
      const read = readTyped(typed);
      if (read.problems) return { ok: false, problems: read.problems };
      const done = await changeSizeGuide(db(), by, id, read.wish, seen);
      if ("problems" in done) return done;
      if (!done.ok) return outdated("this size guide", done);
      return { ok: true, what: "Saved. The shop shows it now.", version: String(done.version) };
    },
  }),
  delete: change({
    needs: "catalogue",
    fields: z.object({}),
    run: async ({ by, params: { id = "" } }) => {
      await deleteSizeGuide(db(), by, id);
      return redirect("/size-guides");
    },
  }),
};
