import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { inSchema } from "./setting.server.ts";

/** The objects of a schema: the definition of each table, column, constraint, index, trigger and function, by name. */
export type Objects = Record<string, string>;

/** Leaves out Kysely's own tables and the functions of extensions. */
const OBJECTS = sql<{ name: string; definition: string }>`
  with here as (select current_schema()::regnamespace as id),
  tables as (select c.* from pg_class c, here where relnamespace = id and relkind in ('r', 'p') and relname not like 'kysely%')
  select 'table ' || relname as name, case relpersistence when 'u' then 'unlogged' else 'logged' end as definition from tables
  union all
  select concat('column ', relname, '.', attname), concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
    nullif(attidentity, ''), nullif(attgenerated, ''), pg_get_expr(adbin, adrelid, true))
  from tables join pg_attribute a on attrelid = tables.oid left join pg_attrdef d on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select concat('constraint ', relname, '.', conname), pg_get_constraintdef(c.oid, true)
  from tables join pg_constraint c on conrelid = tables.oid
  where contype in ('c', 'f', 'p', 'u', 'x') -- newer servers name each not null, too
  union all
  select 'index ' || i.relname, pg_get_indexdef(i.oid, 0, true)
  from tables join pg_index on indrelid = tables.oid join pg_class i on i.oid = indexrelid
  where not exists (select from pg_constraint where conindid = indexrelid)
  union all
  select concat('trigger ', relname, '.', tgname), concat(pg_get_triggerdef(t.oid, true), case tgenabled when 'D' then ' disabled' end)
  from tables join pg_trigger t on tgrelid = tables.oid where not tgisinternal
  union all
  select format('function %s(%s)', proname, pg_get_function_identity_arguments(p.oid)),
    md5(concat_ws(' ', lanname, provolatile, proisstrict, format_type(prorettype, null), prosrc,
      pg_get_function_sqlbody(p.oid)))
  from here join pg_proc p on pronamespace = id join pg_language l on l.oid = prolang
  where not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and deptype = 'e')`;

/** The objects of `schema`. The server writes the definitions, so they may differ between its major versions. */
export async function describeSchema(trx: Transaction, schema: string): Promise<Objects> {
  return inSchema(trx, schema, async () => {
    const { rows } = await OBJECTS.execute(trx);
    return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
  });
}

/**
 * The names of objects that `found` lacks or defines differently from `wanted`. Additional objects, such as an index
 * that the owner has added, do not count.
 */
export function differences(found: Objects, wanted: Objects): string[] {
  return Object.keys(wanted)
    .filter((name) => found[name] !== wanted[name])
    .sort();
}
