import type { ActionFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { findInvitation } from "#app/staff/invitations.server.ts";
import { listPasskeys, passkeyToMake, passkeyToUse } from "#app/staff/passkeys.server.ts";
import { refusalText, SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { currentStaff, hasJustSignedIn } from "#app/staff/sessions.server.ts";
import { postedForm } from "../http/form.server.ts";

/**
 * The WebAuthn options for the device. `for` is the purpose: to sign in, to accept the invitation of `code`, or to add
 * a passkey for the signed-in member.
 */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const form = await postedForm(request);
  switch (form.get("for")) {
    case "sign-in": {
      const asked = await passkeyToUse(request);
      return Response.json(asked.ok ? { use: asked.options } : { problem: refusalText(asked, "") });
    }
    case "invitation": {
      const invited = await findInvitation(db(), String(form.get("code")));
      if (!invited) return Response.json({ problem: "This invitation has expired." });
      return Response.json({ make: await passkeyToMake(db(), invited) });
    }
    case "me": {
      const staff = await currentStaff(request);
      if (!staff) return Response.json({ problem: "You’re signed out. Please sign in again." });
      if (!(await hasJustSignedIn(request))) return Response.json({ problem: SIGN_IN_ANEW });
      return Response.json({ make: await passkeyToMake(db(), staff, await listPasskeys(db(), staff.id)) });
    }
    default:
      return new Response(null, { status: 400 });
  }
}
