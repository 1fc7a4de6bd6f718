import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { changeMany, type PreviewedRate, previewChange } from "#app/owner/delivery/rate-change.server.ts";
import { RATE_KINDS } from "#app/owner/delivery/rates.ts";
import { NAIRA_STEPS, readSumChange } from "#app/owner/prices/sum-change.ts";
import { allCountries } from "#app/shipping/document.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { ratesField } from "../delivery/edits.server.ts";
import { KIND_TITLES } from "../delivery/tabs.ts";
import { Button, ButtonLink, SaveButton } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { change, changes } from "../http/changes.server.ts";
import { MB } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NO_CHANGE, SumChangeFields } from "../prices/sum-change-fields.tsx";

/** `by` is missing until the form has been sent. */
const asked = z.object({
  of: z.enum(["all", ...RATE_KINDS]).catch("all"),
  by: z.string().optional(),
  step: z.coerce.number().pipe(z.literal(NAIRA_STEPS)).catch(0),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "delivery");
  const typed = asked.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { rate } = await rateInForce(db());
  return { ...typed, rate, preview: await previewOf(typed, rate) };
}

async function previewOf({ of, by: text, step }: z.infer<typeof asked>, rate: Rate) {
  if (text === undefined) return;
  const by = readSumChange(text);
  if (!by) return { problem: NO_CHANGE };
  const seen = await previewChange(db(), { kinds: of === "all" ? RATE_KINDS : [of], by, step }, rate);
  if ("problem" in seen) return seen;
  const titles = new Map(allCountries().map(({ code, name }) => [code, name]));
  const titleOf = ({ kind, name }: PreviewedRate) => (kind === "country" && titles.get(name)) || name;
  return { rates: seen.rates.map((one) => ({ ...one, title: titleOf(one) })) };
}

export const action = changes({
  change: change({
    needs: "delivery",
    size: { bytes: 4 * MB },
    fields: z.object({ rates: ratesField }),
    run: async ({ by, fields: { rates } }) => {
      const done = await changeMany(db(), by, rates);
      if (done.ok) return done;
      return { ...done, problem: "Somebody else has changed rates since the preview" };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** The screen that changes many rates at once, after a preview. */
export default function DeliveryChange() {
  const { rate, preview } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  return (
    <Page
      title="Change rates"
      back={{ to: "/delivery", title: "Delivery" }}
      about="You see every rate before it’s saved"
    >
      {done?.ok ? (
        <Notice kind="done" actions={<ButtonLink to="/delivery">Back to the rates</ButtonLink>}>
          <strong className="font-semibold">{done.what}.</strong> The checkout uses it from now on.
        </Notice>
      ) : (
        <>
          {done && "problem" in done && <Refused done={done} />}
          <Choices problem={preview && "problem" in preview ? preview.problem : undefined} />
          {preview && "rates" in preview && <Preview rates={preview.rates} rate={rate} />}
        </>
      )}
    </Page>
  );
}

function Refused({ done }: { done: { problem: string; theirs?: string[] } }) {
  if (!done.theirs) return <Notice kind="error">{notDoneText(done)}</Notice>;
  return (
    <Notice kind="conflict">
      {notDoneText(done)} Below is the change of the rates as they are now.
      <ul className="mt-1 tabular-nums">
        {done.theirs.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Choices({ problem }: { problem?: string }) {
  const { of, by, step, rate } = useLoaderData<typeof loader>();
  return (
    <Form key={`${of} ${by} ${step}`} className="mt-5 grid max-w-160 gap-4">
      <Field label="Which">
        <select name="of" defaultValue={of} className="input">
          <option value="all">All rates</option>
          {RATE_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_TITLES[kind]}
            </option>
          ))}
        </select>
      </Field>
      <SumChangeFields rate={rate} by={by} step={step} problem={problem} />
      <Button look="line" className="max-lg:w-full lg:w-max">
        Show what changes
      </Button>
    </Form>
  );
}

function Preview({ rates, rate }: { rates: (PreviewedRate & { title: string })[]; rate: Rate }) {
  const isPending = useNavigation().formData?.get("intent") === "change";
  const changed = rates.filter(({ was, now }) => was !== now).length;
  const doubtful = rates.filter(({ isDoubtful }) => isDoubtful).length;
  const sent = rates.map(({ kind, name, was, now }) => ({ kind, name, was, now }));
  return (
    <>
      <p role="status" className="mt-6 tabular-nums">
        {plural(changed, "rate")} would change. {rates.length - changed} would stay.
      </p>
      {doubtful > 0 && (
        <Notice kind="error">
          <strong className="font-semibold">Is that right?</strong> {plural(doubtful, "rate")} would become free, or ten
          times as much or as little.
        </Notice>
      )}
      <table aria-label="What would be changed" className="rows mt-4">
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">What happens</th>
            <th scope="col" data-align="end">
              Now
            </th>
            <th scope="col" data-align="end">
              Then
            </th>
          </tr>
        </thead>
        <tbody>
          {rates.map(({ kind, name, title, was, now, isDoubtful }) => (
            <tr key={`${kind} ${name}`}>
              <td data-slot="lead">{title}</td>
              <td data-slot="state">
                {was === now ? (
                  <State tone="rest">Stays</State>
                ) : (
                  <State tone={isDoubtful ? "person" : "waiting"}>{isDoubtful ? "Unlikely" : "Changed"}</State>
                )}
              </td>
              <td data-slot="about" data-align="end" data-tone="muted">
                <Sum cents={was} rate={rate} />
              </td>
              <td data-slot="sum" data-align="end" data-tone="strong">
                <Sum cents={now} rate={rate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed > 0 && (
        <Form method="post" className="mt-5">
          <input type="hidden" name="rates" value={JSON.stringify(sent)} />
          <SaveButton
            label={`${doubtful > 0 ? "Yes, change" : "Change"} ${plural(changed, "rate")}`}
            name="intent"
            value="change"
            isPending={isPending}
            className="min-h-12 max-lg:w-full lg:min-h-10"
          />
        </Form>
      )}
    </>
  );
}

function Sum({ cents, rate }: { cents: number; rate: Rate }) {
  const sum = usdCents(cents);
  return (
    <>
      {formatUsd(sum)}{" "}
      <span className="font-normal text-muted">{formatApproximateNaira(approximateNaira(sum, rate))}</span>
    </>
  );
}
