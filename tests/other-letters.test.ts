import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { stockGrid } from "#app/owner/catalog/stock-grid.server.ts";
import { searchCustomers } from "#app/owner/customers/search.server.ts";
import { searchSubscribers } from "#app/owner/newsletter/newsletter.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { get as suggestions } from "#app/routes/api.suggestions.ts";
import { useDatabase } from "#tests/support/database.ts";

/** Names and titles as they are written, and as they are typed without diacritics. */
const NAMES = `
Ọ̀ṣunṣakin Adébáyọ̀ = Osunsakin Adebayo
Ẹniọlá Ògúnbánwò = Eniola Ogunbanwo
Ṣadé Olúwaṣeun = Sade Oluwaseun
Títílayọ̀ Àjàyí = Titilayo Ajayi
Ọláńrewájú Ìṣọ̀lá = Olanrewaju Isola
Abọ́sẹ̀dé Ọ̀túnba = Abosede Otunba
Mọ́remí Ẹ̀ṣọ́ = Moremi Eso
Yétúndé Ọbáfẹ́mi = Yetunde Obafemi
Ìyábọ̀ Káṣìmù = Iyabo Kasimu
Ẹ̀bùn Olúwọlé = Ebun Oluwole
Ụmụada Ńkẹ́m = Umuada Nkem
Ṅgọzị Ọkọnkwọ = Ngozi Okonkwo
Chị́jịọkẹ Ụzọma = Chijioke Uzoma
Ifẹ́ọma Ọdụmegwu = Ifeoma Odumegwu
Obịọra Ṅwakanma = Obiora Nwakanma
Adaọbị Ụdẹnze = Adaobi Udenze
Ìfẹ́ányị Ọnụọha = Ifeanyi Onuoha
Ọgọchukwu Ẹzẹ = Ogochukwu Eze
Nnẹka Ụbakà = Nneka Ubaka
Ńnamdị Ọ́kárá = Nnamdi Okara
Ɗanladi Ƙwairanga = Danladi Kwairanga
Ɓagobiri Ɗantata = Bagobiri Dantata
Ƴar’adua Ƙofar = Yar'adua Kofar
Ɗahiru Ƙaraye = Dahiru Karaye
Jiɓrin Maɗaki = Jibrin Madaki
Haɗiza Ɓauchi = Hadiza Bauchi
Sabi'u Ɗorayi = Sabi'u Dorayi
Zainabu Ƙanƙara = Zainabu Kankara
Mu’azu Ƴakasai = Mu'azu Yakasai
Rabi'atu Ɗambatta = Rabi'atu Dambatta
François L’Étoile = Francois L'Etoile
Hélène Çöté = Helene Cote
Zoë Lefèvre = Zoe Lefevre
Anaïs Dœuvre = Anais Doeuvre
Jérôme Châtelet = Jerome Chatelet
Aimée D’Arc = Aimee D'Arc
Noël Bâtîment = Noel Batiment
Maÿlis Crème = Maylis Creme
Łukasz Żółć = Lukasz Zolc
Świętosława Ćwiąkała = Swietoslawa Cwiakala
Bożena Gęślą = Bozena Gesla
Michał Źdźbło = Michal Zdzblo
Małgorzata Wójcik = Malgorzata Wojcik
Stanisław Jaźń = Stanislaw Jazn
Grażyna Ślązak = Grazyna Slazak
Józef Łąka = Jozef Laka
أَحْمَد الشَّرِيف = احمد الشريف
فَاطِمَة الزَّهْرَاء = فاطمه الزهراء
مُحَمَّد آدَم = محمد ادم
إِبْرَاهِيم مُوسَى = ابراهيم موسي
عَائِشَة يُوسُف = عائشه يوسف
خَدِيجَة عُمَر = خديجه عمر
سُلَيْمَان بَكْر = سليمان بكر
Артём Ёлкин = Артем Елкин
Зоя Йовович = Зоя Иовович
Андрій Їжакевич = Андріи Іжакевич
Василь Ґалаґан = Василь Галаган
Семён Щукин = Семен Щукин
Алексей Жёлудь = Алексеи Желудь
Майя Воробьёва = Маия Воробьева`;

const TITLES = `
Aṣọ Òkè Gown = Aso Oke Gown
Ọ̀ṣun Festival Tee = Osun Festival Tee
Fìlà Gọ̀bì = Fila Gobi
Ìró àti Bùbá = Iro ati Buba
Agbádá Ńlá = Agbada Nla
Ẹ̀kọ́ Scarf = Eko Scarf
Àdìrẹ Ẹlẹ́kọ = Adire Eleko
Ṣóṣò Jersey = Soso Jersey
Gèlè Aláró = Gele Alaro
Ẹsẹ̀ Socks = Ese Socks
Ụmụada Wrapper = Umuada Wrapper
Akwẹtẹ Ọcha = Akwete Ocha
Ịsịagụ Top = Isiagu Top
Okpu Agụ = Okpu Agu
Ọjị Ọnụ = Oji Onu
Ńkịtị Print = Nkiti Print
Ṅwanyị Ọma = Nwanyi Oma
Ụlọ Ọrụ = Ulo Oru
Ịchafụ Ụdara = Ichafu Udara
Ọ́dụ́m Crew = Odum Crew
Ɗan Kano Kaftan = Dan Kano Kaftan
Babbar Rigar Ƙasa = Babbar Rigar Kasa
Hular Ɓukur = Hular Bukur
Ƴan Ƙwallo Jersey = Yan Kwallo Jersey
Zanen Ɗinki = Zanen Dinki
Ƙaramar Riga = Karamar Riga
Aikin Ɓarawo = Aikin Barawo
Fararen Ƙafa = Fararen Kafa
Ƴar Gida = Yar Gida
Ɗaukaka Tee = Daukaka Tee
Été à Côte d’Ivoire = Ete a Cote d'Ivoire
Crème Brûlée Hoodie = Creme Brulee Hoodie
Cœur de Velours = Coeur de Velours
Façade Bleuâtre = Facade Bleuatre
L’Œuvre Noël = L'Oeuvre Noel
Maïs Doré = Mais Dore
Garçon Manqué = Garcon Manque
Forêt Zébrée = Foret Zebree
Żółty Płaszcz = Zolty Plaszcz
Łódź Bluza = Lodz Bluza
Święta Góra = Swieta Gora
Gęsia Skórka = Gesia Skorka
Źródło Światła = Zrodlo Swiatla
Czapka Śnieżna = Czapka Sniezna
Kość Słoniowa = Kosc Sloniowa
Mała Ćma = Mala Cma
قَمِيصٌ أَبْيَض = قميص ابيض
ثَوْبٌ مُطَرَّز = ثوب مطرز
عَبَاءَةٌ سَوْدَاء = عباءه سوداء
قُبَّعَةُ الصَّيْف = قبعه الصيف
حِذَاءٌ رِيَاضِيّ = حذاء رياضي
وِشَاحُ الحَرِير = وشاح الحرير
مِعْطَفُ الشِّتَاء = معطف الشتاء
Чёрный Шарф = Черныи Шарф
Зелёная Майка = Зеленая Маика
Тёплый Свитер = Теплыи Свитер
Шёлковый Йети = Шелковыи Иети
Вишиванка Їжак = Вишиванка Іжак
Ґудзик = Гудзик
Осенний Плащ = Осеннии Плащ`;

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line, at) => {
      const [written = "", bare = ""] = line.split(" = ");
      return { id: `row-${at}`, stored: written.normalize(at % 2 ? "NFD" : "NFC"), written, bare };
    });
type Row = ReturnType<typeof rowsOf>[number];
const names = rowsOf(NAMES);
const titles = rowsOf(TITLES);

const ways = ({ written, bare }: Row) => [
  written.normalize("NFC"),
  written.normalize("NFD").toUpperCase(),
  bare.toLowerCase(),
];

/** The searches that do not find their row. */
async function missing(rows: Row[], ids: (text: string) => Promise<string[]>): Promise<string[]> {
  const lost: string[] = [];
  for (const row of rows) for (const text of ways(row)) if (!(await ids(text)).includes(row.id)) lost.push(text);
  return lost;
}

const DATABASES: [string, string | undefined][] = [
  ["the embedded database", undefined],
  ["one with Turkish letters", "locale_provider icu icu_locale 'tr-TR' locale 'C.UTF-8'"],
];

describe.each(DATABASES)("15 in %s", (_, locale) => {
  const database = useDatabase({ locale });
  const db = () => database.db();

  beforeAll(async () => {
    const values = JSON.stringify(
      names.map(({ id, stored }) => ({ id, first: stored.split(" ")[0], last: stored.split(" ")[1] })),
    );
    await sql`insert into users (id, email, first_name, last_name)
      select id, id || '@example.com', first, last from jsonb_to_recordset(${values}::jsonb) as n(id text, first text, last text)`.execute(
      db(),
    );
    await sql`insert into subscriptions (email, first_name)
      select id || '@example.com', first from jsonb_to_recordset(${values}::jsonb) as n(id text, first text)`.execute(
      db(),
    );
    await sql`insert into orders (state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at)
      select 'sold', 1, id || '@example.com', jsonb_build_object('firstName', first, 'lastName', last, 'country', 'Nigeria', 'phoneNumber', '08031234567'),
        '[]', 1, 0, 1, 1600, now(), 100, now()
      from jsonb_to_recordset(${values}::jsonb) as n(id text, first text, last text)`.execute(db());
    await sql`insert into products (id, title, color, price_cents)
      select id, stored, 'Green', 100 from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as t(id text, stored text)`.execute(
      db(),
    );
  });

  test("every title is found in the shop", async () => {
    const ask = async (text: string) => {
      const answer = await suggestions(new Request(`http://localhost/api/suggestions?q=${encodeURIComponent(text)}`));
      return (answer.json as { id: string }[]).map(({ id }) => id);
    };
    expect(titles).toHaveLength(60);
    expect(await missing(titles, ask)).toEqual([]);
  });

  test("every title is found among the office's products and in its stock", async () => {
    const listed = async (text: string) =>
      (await searchProducts(db(), { view: "all", sort: "title", text })).rows.map(({ id }) => id);
    const inStock = async (text: string) =>
      (await stockGrid(db(), { view: "all", sort: "title", text })).rows.map(({ id }) => id);
    expect(await missing(titles, listed)).toEqual([]);
    expect(await missing(titles, inStock)).toEqual([]);
  });

  test("every name is found among customers, orders and subscribers", async () => {
    const idOf = ({ email }: { email: string }) => email.replace("@example.com", "");
    const customers = async (text: string) => (await searchCustomers(db(), { text })).rows.map(idOf);
    const orders = async (text: string) => (await searchOrders(db(), { view: "all", text })).rows.map(idOf);
    const first = async (text: string) => (await searchSubscribers(db(), text.split(" ")[0])).rows.map(idOf);
    expect(names).toHaveLength(60);
    expect(await missing(names, customers)).toEqual([]);
    expect(await missing(names, orders)).toEqual([]);
    expect(await missing(names, first)).toEqual([]);
  });

  test.each([
    ["obrien", "O’Brien Polo"],
    ["O’Brien", "O'Brien Polo"],
    ["o'brien", "OʼBrien Polo"],
    ["ｏｓｕｎ", "Ọ̀ṣun Polo"],
    ["ỌṢUN", "ọ̀ṣun Polo"],
    ["osnu", "Ọ̀ṣun Polo"],
    ["tee", "Ẹ̀kọ́ T‑Shirt Polo"],
    ["t-shirt", "Ẹ̀kọ́ TShirt Polo"],
    ["offwhite", "Off‐White Polo"],
  ])("“%s” finds “%s”", async (text, title) => {
    await sql`insert into products (id, title, color, price_cents) values ('polo', ${title}, 'Green', 100)
      on conflict (id) do update set title = excluded.title`.execute(db());
    const answer = await suggestions(new Request(`http://localhost/api/suggestions?q=${encodeURIComponent(text)}`));
    expect(answer.json).toContainEqual({ id: "polo", title, color: "Green" });
  });

  test("a title with marks or capitals stands among those of its letter", async () => {
    await sql`insert into products (id, title, color, price_cents) values
      ('a', 'zebra', 'Sorting', 100), ('b', 'Zip', 'Sorting', 100), ('c', 'Źródło', 'Sorting', 100), ('d', 'Ọ̀ṣun', 'Sorting', 100),
      ('e', 'ọ̀sì', 'Sorting', 100), ('f', '“Otter”', 'Sorting', 100)`.execute(db());
    const inOrder = ["e", "d", "f", "a", "b", "c"];
    const search = { view: "all", sort: "title", text: "sorting" } as const;
    expect((await searchProducts(db(), search)).rows.map(({ id }) => id)).toEqual(inOrder);
    expect((await stockGrid(db(), search)).rows.map(({ id }) => id)).toEqual(inOrder);
    const { older } = await searchProducts(db(), search, {}, 3);
    expect((await searchProducts(db(), search, { before: older }, 3)).rows.map(({ id }) => id)).toEqual([
      "a",
      "b",
      "c",
    ]);
  });
});
