import type { ReactNode } from "react";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Done, Panel, SettingForm } from "./form.tsx";
import type { SettingAnswer } from "./setting.ts";

/** An address of the account. `place`: as an order shows it; `name`: the same on one line. */
export type ShownAddress = { id: string; isDefault: boolean; name: string; place: ReactNode };

type Props = { addresses: ShownAddress[]; isFull: boolean; answer?: SettingAnswer };

/** The saved addresses. Adding and changing one have pages of their own. */
export function AddressesSetting({ addresses, isFull, answer }: Props) {
  return (
    <Panel title="Addresses" answer={answer}>
      <FormError>{answer?.errors.form}</FormError>
      {addresses.length === 0 ? (
        <p>{messages.addressBook.none}</p>
      ) : (
        <ul className="grid gap-5">
          {addresses.map((address) => (
            <Address key={address.id} {...address} />
          ))}
        </ul>
      )}
      {isFull ? (
        <p>{messages.addressBook.full(addresses.length)}</p>
      ) : (
        <ButtonLink look="outline" to="/account/addresses/new" className="justify-self-start">
          Add an address
        </ButtonLink>
      )}
      <Done answer={answer} />
    </Panel>
  );
}

function Address({ id, isDefault, name, place }: ShownAddress) {
  const named = (does: string) => (
    <>
      <span>{does}</span>
      <span className="sr-only">{` ${name}`}</span>
    </>
  );
  return (
    <li className="grid gap-1">
      {isDefault && <p className="font-semibold text-palm">Default address</p>}
      {place}
      <div className="flex flex-wrap gap-x-6">
        {!isDefault && (
          <SettingForm of="default-address" action={named("Set as default")} look="quiet">
            {() => <input type="hidden" name="id" value={id} />}
          </SettingForm>
        )}
        <ButtonLink look="quiet" to={`/account/addresses/${id}`}>
          {named("Edit")}
        </ButtonLink>
        <details className="open:w-full">
          <summary className="label inline-flex min-h-12 items-center underline underline-offset-4 hover:text-palm">
            {named("Delete")}
          </summary>
          <SettingForm of="delete-address" action={named("Delete address")} look="outline">
            {() => (
              <>
                <p>You can’t undo this. Your orders keep the address they were made with.</p>
                <input type="hidden" name="id" value={id} />
              </>
            )}
          </SettingForm>
        </details>
      </div>
    </li>
  );
}
