import { type ReactNode, useEffect, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { z } from "zod";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { fold } from "#app/infra/text/fold.ts";
import { changePlaces, deliveryPlaces } from "#app/owner/delivery/rates.server.ts";
import { RATE_KINDS, type RateKind } from "#app/owner/delivery/rates.ts";
import { reviewShippingNames } from "#app/owner/shipping-names.ts";
import { allCountries } from "#app/shipping/document.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { KNOWN_STATES, stateNamed } from "#app/shipping/state-names.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Centres } from "../delivery/centres.tsx";
import { useDrafts } from "../delivery/drafts.ts";
import { editsField } from "../delivery/edits.server.ts";
import { type ListedPlace, RateList } from "../delivery/rate-list.tsx";
import { SaveBar } from "../delivery/save-bar.tsx";
import { KIND_TITLES } from "../delivery/tabs.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Search, useFilters, View, Views } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { MB } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const places = await deliveryPlaces(db());
  const states = places.filter(({ kind }) => kind === "state");
  const { unknownStates, statesWithoutRate } = reviewShippingNames(places);
  const { rate } = await rateInForce(db());
  return {
    places,
    rate,
    mayChange: may(role, "delivery"),
    unknownStates,
    statesWithoutRate,
    /** The states by the owner's names, and known states without a rate. */
    states: [...states.map(({ name }) => name), ...KNOWN_STATES.filter((name) => !stateNamed(states, name))].sort(),
    countries: allCountries().filter(({ name }) => name !== NIGERIA.name),
  };
}

export const action = changes({
  save: change({
    needs: "delivery",
    size: { bytes: 4 * MB },
    fields: z.object({ edits: editsField, agreed: z.literal("yes").optional() }),
    run: async ({ by, fields: { edits, agreed } }) => {
      const done = await changePlaces(db(), by, edits, agreed === "yes");
      if (done.ok) return done;
      if ("doubt" in done) return { ok: false, problem: "Is that right?", doubts: done.doubt.split("\n") };
      return { ...done, problem: "Somebody else has changed the same" };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function Delivery() {
  useFresh();
  const { places, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const [params] = useSearchParams();
  const kind = RATE_KINDS.find((one) => one === params.get("kind")) ?? "state";
  const drafts = useDrafts(places);
  const { settle } = drafts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (done?.ok) settle();
  }, [done]);
  const refused = done && !done.ok && "problem" in done ? done : undefined;
  const problems = done && !done.ok && "problems" in done ? byPlace(done.problems) : {};
  const count = (of: RateKind) => drafts.all.filter((draft) => draft.kind === of && drafts.isChange(draft)).length;
  return (
    <Page
      title="Delivery"
      about="What shoppers pay for delivery, in dollars. It’s charged in naira."
      actions={<Actions mayChange={mayChange} />}
    >
      <Views label="Kinds of places">
        {RATE_KINDS.map((one) => (
          <View key={one} to={`?kind=${one}`} current={one === kind} count={count(one)}>
            {KIND_TITLES[one]}
          </View>
        ))}
      </Views>
      {done?.ok && drafts.all.length === 0 && (
        <Notice kind="done">{done.what}. The checkout uses it from now on.</Notice>
      )}
      {refused && !refused.doubts && <Notice kind="error">{notDoneText(refused)}</Notice>}
      <Kind kind={kind} drafts={drafts} problems={problems} />
      <SaveBar drafts={drafts} doubts={refused?.doubts} />
    </Page>
  );
}

/** Renames the keys of the problems from "edits.state Lagos" to "state Lagos". */
function byPlace(problems: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(problems).map(([name, text]) => [name.replace(/^edits\./, ""), text]));
}

function Actions({ mayChange }: { mayChange: boolean }) {
  return (
    <>
      <ButtonLink to="/delivery/ways" look="line">
        Ways of delivery
      </ButtonLink>
      {mayChange && (
        <>
          <ButtonLink to="/delivery/change" look="line">
            Change rates
          </ButtonLink>
          <ButtonLink to="/delivery/import" look="line">
            Import
          </ButtonLink>
        </>
      )}
      <PlainLink href="/delivery/export.csv" download className={mayChange ? "max-sm:hidden" : ""}>
        <DownloadIcon className="size-5" />
        Export
      </PlainLink>
    </>
  );
}

const SOUGHT: Record<RateKind, string> = { state: "states", pickup: "pick-up centres", country: "countries" };
type KindProps = { kind: RateKind; drafts: ReturnType<typeof useDrafts>; problems: Record<string, string> };

function Kind({ kind, drafts, problems }: KindProps) {
  const { places, states, countries, rate, mayChange, unknownStates, statesWithoutRate } =
    useLoaderData<typeof loader>();
  const filters = useFilters();
  const sought = fold(filters.get("q"));
  const fits = (...texts: string[]) => texts.some((text) => fold(text).includes(sought));
  const known = places.filter((place) => place.kind === kind);
  const shared = { drafts, rate, problems, mayChange };
  const search = (
    <div className="py-3">
      <Search label={`Search ${SOUGHT[kind]}`} />
    </div>
  );
  if (kind === "pickup") {
    const found = known.filter(({ name, details }) => fits(name, details.state ?? "", details.address ?? ""));
    return (
      <>
        {search}
        <Centres {...shared} names={found.map(({ name }) => name)} states={states} />
        <Nothing isThere={found.length > 0} isSought={sought !== ""}>
          No pick-up centres yet, so shoppers can only choose home delivery.
        </Nothing>
      </>
    );
  }
  if (kind === "country") {
    const added = drafts.all.filter(
      (draft) => draft.kind === "country" && !known.some(({ name }) => name === draft.name),
    );
    const codes = new Set([...added, ...known].map(({ name }) => name));
    const listed = countries.flatMap(({ code, name }): ListedPlace[] =>
      codes.has(code) && fits(name, code) ? [{ name: code, title: name, mayGo: true }] : [],
    );
    return (
      <>
        {search}
        {mayChange && (
          <NewCountry
            countries={countries.filter(({ code }) => !codes.has(code))}
            onAdd={(code) => drafts.change("country", code, { dollars: "" })}
          />
        )}
        <RateList {...shared} kind="country" label="Countries" places={listed} />
        <Nothing isThere={listed.length > 0} isSought={sought !== ""}>
          The shop delivers only in Nigeria. Add a country, and shoppers there can buy.
        </Nothing>
      </>
    );
  }
  const listed = states.flatMap((name): ListedPlace[] => {
    if (!fits(name)) return [];
    const isUnknown = unknownStates.includes(name);
    const about = isUnknown
      ? "This isn’t a known state of Nigeria. It’s offered as written"
      : statesWithoutRate.includes(name)
        ? "No rate, so delivery there is free"
        : undefined;
    return [{ name, title: name, about, mayGo: isUnknown }];
  });
  return (
    <>
      {search}
      <RateList {...shared} kind="state" label="States" places={listed} />
      <Nothing isThere={listed.length > 0} isSought={sought !== ""}>
        No state has a rate yet.
      </Nothing>
    </>
  );
}

function Nothing({ isThere, isSought, children }: { isThere: boolean; isSought: boolean; children: ReactNode }) {
  if (isThere) return null;
  return <p className="py-6 text-muted">{isSought ? "No place has that name." : children}</p>;
}

function NewCountry({ countries, onAdd }: { countries: { code: string; name: string }[]; onAdd(code: string): void }) {
  const [code, setCode] = useState("");
  return (
    <div className="mb-4 flex max-w-120 gap-2">
      <select
        aria-label="Another country"
        value={code}
        onChange={({ target }) => setCode(target.value)}
        className="input"
      >
        <option value="">Another country</option>
        {countries.map((one) => (
          <option key={one.code} value={one.code}>
            {one.name}
          </option>
        ))}
      </select>
      <Button
        type="button"
        look="line"
        isDisabled={code === ""}
        onPress={() => {
          onAdd(code);
          setCode("");
        }}
      >
        Add
      </Button>
    </div>
  );
}
