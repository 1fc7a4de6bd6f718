import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { refusedMails } from "#app/infra/mail.server.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { sizesNearlyOut } from "#app/owner/nearly-out.server.ts";
import { searchOrders } from "#app/owner/order-search.server.ts";
import { shopStatus } from "#app/owner/status.server.ts";
import { TAKINGS_SPANS, takings } from "#app/owner/takings.server.ts";
import { CheckIcon, RightIcon } from "#app/ui/icons.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { Takings } from "../today/takings.tsx";

const asked = z.object({ days: z.coerce.number().pipe(z.literal(TAKINGS_SPANS)).catch(7) });
