import type { Chances } from "../chaos/random.ts";

// Invented customers. Their phone numbers are made up, too; the British ones are kept for fiction.

export type Person = { firstName: string; lastName: string; email: string; address: Record<string, string> };

const FIRST =
  "Adaeze Chinedu Tunde Funmilayo Aisha Kelechi Ngozi Segun Yetunde Uche Zainab Halima Amara Bolanle Damilola Efe Tari Sade Kunle Obinna Nneka Hauwa Temitope Chisom Ifeoma Bashir Ronke Ejiro".split(
    " ",
  );
const LAST =
  "Adeyinka Ogunleye Nwosu Danladi Ezeani Balarabe Etim Oyelaran Uzor Igwebuike Akande Obiora Lawanson Ikpeme Odili Shobande Tanimu".split(
    " ",
  );
const STREETS =
  "Broad Street,Allen Avenue,Market Road,Station Road,Palm Close,Unity Street,Garden Lane,Church Street".split(",");
const STATES: [state: string, localGovernment: string][] = [
  ["Lagos", "Ikeja"],
  ["Lagos", "Surulere"],
  ["Lagos", "Eti-Osa"],
  ["Ogun", "Abeokuta South"],
  ["Oyo", "Ibadan North"],
  ["Rivers", "Port Harcourt"],
  ["Enugu", "Enugu North"],
  ["Kano", "Nassarawa"],
  ["Edo", "Oredo"],
  ["Federal Capital Territory", "Abuja Municipal"],
];
const PICKUPS = ["Yaba", "Surulere", "Ikeja City Mall", "Lekki Phase 1", "Ibadan", "Port Harcourt", "Enugu"];
const ABROAD: [first: string, last: string, Record<string, string>][] = [
  ["Esi", "Boatengmaa", { country: "Ghana", city: "Accra", address: "14 Ring Road", phoneNumber: "+233201234567" }],
  [
    "Harriet",
    "Penwick",
    {
      country: "United Kingdom",
      city: "London",
      address: "3 Brick Lane",
      postalCode: "E1 6AN",
      phoneNumber: "+442079460958",
    },
  ],
  [
    "Owen",
    "Tarrant-Bale",
    {
      country: "United Kingdom",
      city: "Leeds",
      address: "81 Mill Street",
      postalCode: "LS1 4DY",
      phoneNumber: "+441134960123",
    },
  ],
  [
    "Jonas",
    "Feldkircher",
    {
      country: "Germany",
      city: "Hamburg",
      address: "Lindenweg 8",
      postalCode: "20095",
      phoneNumber: "+4915123456789",
    },
  ],
  [
    "Aoife",
    "Kilbrannan",
    {
      country: "Ireland",
      city: "Dublin",
      address: "22 Quay Street",
      postalCode: "D02 X285",
      phoneNumber: "+353851234567",
    },
  ],
  ["Wanjiru", "Kamotho", { country: "Kenya", city: "Nairobi", address: "5 Acacia Road", phoneNumber: "+254712345678" }],
];

/** `count` customers: most live in Nigeria, some of these pick their orders up, and a few live abroad. */
export function people(count: number, { random, chance }: Chances): Person[] {
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const abroad = ABROAD.map(([first, last, address]) => person(first, last, { deliveryType: "", ...address }));
  const home = Array.from({ length: count - abroad.length }, (_, at) => {
    const phoneNumber = `0803000${String(1000 + 7 * at)}`;
    const [state, localGovernment] = one(STATES);
    const address: Record<string, string> = chance(22)
      ? { deliveryType: "Pick-up", pickupCenter: one(PICKUPS) }
      : { deliveryType: "Home Delivery", state, localGovernment, address: `${3 + ((at * 7) % 90)} ${one(STREETS)}` };
    // Steps without a common divisor, so that no pair of names comes twice.
    const [first = "", last = ""] = [
      FIRST[at % FIRST.length],
      LAST[(at + Math.floor(at / FIRST.length)) % LAST.length],
    ];
    return person(first, last, { country: "Nigeria", phoneNumber, ...address });
  });
  return [...home, ...abroad].sort(() => random() - 0.5);
}

function person(firstName: string, lastName: string, address: Record<string, string>): Person {
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { firstName, lastName, email, address: { ...address, firstName, lastName, email } };
}
