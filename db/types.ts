import type { ColumnType, Generated } from "kysely";

/**
 * The tables of db/migrations, as Kysely sees them: snake_case in SQL, camelCase here. `tests/house/schema.test.ts`
 * compares both.
 */

/**
 * numeric and bigint arrive as text from PostgreSQL; money code turns them into BigInt or exact decimals, never into
 * floats.
 */
type Numeric = ColumnType<string, string | number | bigint, string | number | bigint>;
type BigInteger = ColumnType<string, string | number | bigint, string | number | bigint>;
type Time = ColumnType<Date, Date | string, Date | string>;
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;
/** Written as JSON text (JSON.stringify), read as the parsed value. */
type Json<T> = ColumnType<T, string, string>;

/** What has a card of its own in the lists of products: each colour of a model, or the model. */
export type CardFor = "color" | "model";

/** A kind of products. `id` is the part of its address, by which products name it. */
export type Kind = { id: string; name: string };
/** The id of a kind. */
export type ProductKind = Kind["id"];
/** A sentence or two each; unknown details are missing. */
export type ProductDetails = {
  fabric?: string;
  fit?: string;
  back?: string;
  care?: string;
  origin?: string;
  /** For customs: the weight of one piece, its number in the Harmonized System, and an ISO 3166 alpha-2 code. */
  weightGrams?: number;
  hsCode?: string;
  originCountry?: string;
};

/** `focus`: the point that a crop keeps, as CSS has it: "30% 70%" from the left and the top. */
export type ProductImage = {
  hash: string;
  width: number;
  height: number;
  alt: string;
  background: string;
  focus?: string;
};

export type HeroGround = "orange" | "green" | "brown";
export type HeroPicture = Omit<ProductImage, "alt">;

/** A slide of the home page. */
export type HeroSlide = {
  id: string;
  /** The background colour of the text. */
  ground: HeroGround;
  /** Shown in large letters, in three lines at most. */
  title: string;
  /** Shown below the title; may be empty. */
  text: string;
  /** What the picture shows. */
  alt: string;
  /** A path of the shop, or `product:ID`; empty for none. */
  target: string;
  /** The link's text. If it is empty, the product's own name is shown. */
  label: string;
  /** If null, the shop's own picture for this background is shown. */
  desktop: HeroPicture | null;
  /** If null, the desktop's picture is shown. */
  phone: HeroPicture | null;
};

/** The sections that the home page comes with, and whose words and pictures are in code. */
export type ShippedSection = "cloth" | "pairs" | "rail" | "slogan";

/**
 * A section of the home page below its slides. `most`: how many products are shown. `to`: where its link leads, a path
 * of the shop; empty for no link, whose text is `label`.
 */
export type HomeSection = { id: string } & (
  | { kind: "arrivals"; title: string; most: 4 | 8 }
  /** Without a title, the collection's name is shown. */
  | { kind: "collection"; title: string; collection: string; most: 4 | 8 }
  | { kind: "products"; title: string; products: string[] }
  /** Never stored without a picture. `alt`: what the picture shows. */
  | {
      kind: "picture";
      title: string;
      text: string;
      label: string;
      to: string;
      alt: string;
      picture: HeroPicture | null;
    }
  | { kind: "slogan"; title: string; text: string; label: string; to: string }
  | { kind: "shipped"; name: ShippedSection }
);

/** The products of a collection besides those that were put in: all to which everything that is set here applies. */
export type CollectionRule = {
  kind?: ProductKind;
  /** Families of colours; a product is of any of them. */
  colors?: string[];
  minCents?: number;
  maxCents?: number;
  onSale?: true;
  /** Added to the catalogue within this number of days. */
  newDays?: number;
};

/** A column of a size guide. `meaning`: how it is measured, in one line; may be empty. */
export type SizeMeasure = { name: string; meaning: string };
/** A row of a size guide. `cm`: a value for each of its measures, with at most one decimal. */
export type MeasuredSize = { size: string; cm: number[] };

/** A part of a page's text. Its texts may have links: app/content/notation.ts. */
export type TextBlock = { kind: "heading" | "paragraph"; text: string } | { kind: "list"; items: string[] };

/** An order's line as it was when the payment started; prices in US cents. */
export type OrderLine = {
  productId: string;
  title: string;
  color: string;
  size: string;
  quantity: number;
  priceCents: number;
  image: ProductImage | null;
  /** Sold as final sale: it cannot be returned. */
  finalSale?: boolean;
  /** Only where offers or staff made the price: the price in force before. */
  fullCents?: number;
  /** The names of the offers that made the price. */
  offerNames?: string[];
  /** Staff have agreed on the price with the customer. No offer changes it. */
  isAgreed?: boolean;
  /** A sale price was in force; `oldPriceCents` is the one that was struck beside it. */
  isOnSale?: boolean;
  oldPriceCents?: number;
};

export type CartMergeLine = { productId: string; size: string; color: string; quantity: number };

export type RefundedPiece = { productId: string; size: string; quantity: number };

/** Who sells, as a receipt says it. `address`: lines of text. `showsVat`: whether the receipt says how much is VAT. */
export type ReceiptSeller = { name: string; address: string; tin: string; showsVat: boolean };
/** A line of a receipt. `cents`: the price of one piece; `kobo`: what was paid for all of the line. */
export type ReceiptLine = {
  title: string;
  color: string;
  size: string;
  quantity: number;
  cents: number;
  kobo: number;
};
/**
 * What a receipt is about: the sums of its lines and of the delivery, without `roundedKobo`, come to its sum.
 * `roundedKobo`: by how much cash was rounded down; missing if it was not.
 */
export type ReceiptContents = {
  lines: ReceiptLine[];
  deliveryCents: number;
  deliveryKobo: number;
  roundedKobo?: number;
  isAbroad: boolean;
};

/**
 * A further way of delivery, as an order keeps it: business days from the order to the door. `orderBy`: the last time
 * of a day, such as 14:00, whose orders count from that day; "" if there is none. `id`: "" in an imported order.
 */
export type OrderedWay = { id: string; name: string; fromDays: number; toDays: number; orderBy: string };

/** The owner's days and hours, as an order keeps them (app/numbers). Missing: what the shop comes with. */
export type OrderedNumbers = {
  returnDays?: number;
  damageHours?: number;
  refundDays?: number;
  packFrom?: number;
  packTo?: number;
  nigeriaFrom?: number;
  nigeriaTo?: number;
  abroadFrom?: number;
  abroadTo?: number;
};

/** Shipping details, as the order keeps them; shippingCost in dollars as text (`12.50`). */
export type ShippingDetails = {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  country: string;
  deliveryType: "" | "Home Delivery" | "Pick-up";
  shippingCost: string;
  shippingRate: string;
  address: string;
  apartment: string;
  city: string;
  state: string;
  localGovernment: string;
  landmark: string;
  postalCode: string;
  pickupCenter: string;
  location: string;
  /** Absent for the standard way. */
  deliveryWay?: OrderedWay;
  /** Sold and handed over by staff at a stall, whose name is the pick-up centre's. */
  handedOver?: true;
};

/** A saved address: the fields of a home delivery in the shipping form, without the email. */
export type SavedAddress = Omit<
  ShippingDetails,
  | "email"
  | "deliveryType"
  | "pickupCenter"
  | "deliveryWay"
  | "handedOver"
  | "shippingCost"
  | "shippingRate"
  | "location"
>;

export type Database = {
  users: {
    id: string;
    email: string;
    emailVerified: Generated<boolean>;
    firstName: Generated<string>;
    lastName: Generated<string>;
    namesChangedAt: Time | null;
    registeredIn: Buffer | null;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
    words: Generated<string>; // a tsvector, written by the database
  };
  sessions: {
    tokenHash: Buffer;
    id: Generated<string>;
    userId: string;
    device: string;
    createdAt: DefaultTime;
    usedAt: DefaultTime;
    markHash: Buffer | null;
  };
  knownDevices: { markHash: Buffer; userId: string; createdAt: DefaultTime; usedAt: DefaultTime };
  savedAddresses: {
    id: Generated<string>;
    userId: string;
    address: Json<SavedAddress>;
    isDefault: Generated<boolean>;
    createdAt: DefaultTime;
  };
  signInLinks: {
    id: string;
    userId: string;
    browserHash: Buffer;
    codeHash: Buffer | null;
    expiresAt: Time;
  };
  accounts: {
    userId: string;
    accountId: string;
    providerId: "credential" | "google";
    /** An argon2id hash, for the provider `credential` only. */
    password: string | null;
    proved: Generated<boolean>;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
  };
  openIdStates: { stateHash: Buffer; kept: Json<unknown>; expiresAt: Time };
  linkCodes: {
    userId: string;
    purpose: "verify" | "reset";
    codeHash: Buffer;
    expiresAt: Time;
    usedAt: Time | null;
    createdAt: DefaultTime;
  };
  rateLimits: { key: string; count: number; resetsAt: Time };
  searchWords: { word: string };
  products: {
    id: string;
    title: string;
    color: string;
    description: Generated<string>;
    priceCents: number;
    kinds: Generated<ProductKind[]>;
    normalCents: number | null;
    oldCents: number | null; // written by a trigger, as the next three
    saleUntil: Time | null;
    saleFinal: Generated<boolean>;
    pricedAt: Time | null;
    finalSale: Generated<boolean>;
    details: ColumnType<ProductDetails, string | undefined, string>;
    images: Json<ProductImage[]>;
    position: Generated<number>;
    inStock: Generated<boolean>; // written by a trigger
    hidden: Generated<boolean>;
    publishAt: Time | null;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
    search: Generated<string>; // a tsvector, written by the database
    model: string | null; // written by a trigger
  };
  salePrices: {
    id: Generated<string>;
    planId: string;
    productId: string;
    priceCents: number | null;
    percent: number | null;
    startsAt: Time;
    endsAt: Time | null;
    finalSale: Generated<boolean>;
    dueAt: Time | null; // written by a trigger
    createdAt: DefaultTime;
  };
  feeds: {
    name: string;
    currency: string;
    askedAt: DefaultTime;
    checkedAt: Time | null;
    isOld: Generated<boolean>;
    generation: Generated<number>;
    parts: number | null;
    etag: string | null;
    writtenAt: Time | null;
  };
  priceHistory: { productId: string; at: Time; priceCents: number | null };
  productSizes: {
    productId: string;
    size: string;
    supplied: number;
    sold: Generated<number>;
    reserved: Generated<number>;
    onHand: ColumnType<number, never, never>;
    changedAt: ColumnType<Date, never, never>; // written by a trigger
  };
  stockAlerts: {
    id: Generated<string>;
    productId: string;
    size: string;
    email: string;
    confirmedAt: Time | null;
    createdAt: DefaultTime;
  };
  queues: {
    productId: string;
    opensAt: Time;
    switchedOnAt: DefaultTime;
    pace: number;
  };
  queueRounds: {
    productId: string;
    pacedAt: Time;
    roundedAt: Time | null;
    numbered: Generated<number>;
    letIn: Generated<number>;
  };
  queuePlaces: {
    productId: string;
    userId: string;
    askedAt: DefaultTime;
    draw: Generated<string>;
    number: number | null;
    letInAt: Time | null;
    usedAt: Time | null;
  };
  endedQueues: {
    productId: string;
    switchedOnAt: Time;
    endedAt: DefaultTime;
  };
  carts: {
    userId: string;
    version: ColumnType<string, number | undefined, number>;
    updatedAt: DefaultTime;
    code: string | null;
    buyer: Json<{ country: string; email: string; phone: string }> | null;
  };
  cartLines: {
    userId: string;
    productId: string;
    size: string;
    color: string;
    quantity: number;
    priceCents: number;
    addedAt: DefaultTime;
    idempotencyKey: string | null;
  };
  cartMerges: { userId: string; mergeId: string; lines: Json<CartMergeLine[]>; mergedAt: DefaultTime };
  exchangeRates: {
    id: Generated<string>;
    rate: Numeric;
    source: string;
    setBy: string | null;
    fetchedAt: DefaultTime;
    heldUntil: Time | null;
    inForce: Generated<boolean>;
  };
  shippingRates: {
    kind: "state" | "pickup" | "country";
    name: string;
    rateCents: number;
    details: ColumnType<Record<string, string>, string | undefined, string>;
  };
  deliveryWays: {
    id: Generated<string>;
    name: string;
    places: string[];
    rateCents: number;
    fromDays: number;
    toDays: number;
    orderBy: Generated<string>;
    active: Generated<boolean>;
    version: Generated<number>;
  };
  handoverWays: { way: string };
  parcelPictures: { id: string; orderId: string; hash: string; addedBy: string; addedAt: DefaultTime };
  handovers: {
    orderId: string;
    code: string;
    linkHash: Buffer | null;
    wrongCodes: Generated<string[]>;
    madeAt: DefaultTime;
  };
  orders: {
    id: Generated<string>;
    counted: Generated<number>;
    number: Generated<string>;
    userId: string | null;
    state: "open" | "waiting" | "released" | "sold" | "refunding" | "refunded";
    cartVersion: BigInteger;
    email: string;
    shipping: Json<ShippingDetails>;
    lines: Json<OrderLine[]>;
    subtotalCents: number;
    shippingCents: number;
    totalCents: number;
    rate: Numeric;
    rateAt: Time;
    kobo: BigInteger;
    holdsStock: Generated<boolean>;
    expiresAt: Time;
    releasedAt: Time | null;
    trial: Generated<boolean>;
    trialEndedAt: Time | null;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
    words: Generated<string>; // a tsvector, written by the database
    numbers: Json<OrderedNumbers> | null;
  };
  collections: {
    id: string;
    name: string;
    words: Generated<string>;
    rule: Json<CollectionRule> | null;
    hidden: Generated<boolean>;
    position: number;
    version: Generated<number>;
    picture: Json<ProductImage> | null;
    startsAt: Time | null;
    endsAt: Time | null;
  };
  collectionProducts: { collectionId: string; productId: string; position: number };
  productKinds: { id: string; name: string; position: number };
  sizeGuides: {
    id: string;
    name: string;
    falls: Generated<string>;
    kinds: Generated<ProductKind[]>;
    measures: Json<SizeMeasure[]>;
    sizes: Json<MeasuredSize[]>;
    version: Generated<number>;
  };
  sizeGuideCollections: { collectionId: string; guideId: string };
  sizeGuideProducts: { productId: string; guideId: string };
  pageTexts: {
    page: string;
    version: number;
    blocks: Json<TextBlock[]> | null;
    subject: string | null;
    savedBy: string;
    savedAt: DefaultTime;
    publishedAt: Time | null;
  };
  previews: {
    linkHash: Buffer;
    cookieHash: Buffer | null;
    page: string;
    draft: Json<unknown> | null;
    madeBy: string;
    endsAt: Time;
  };
  offers: {
    id: Generated<number>;
    name: string;
    terms: Json<Record<string, unknown>>;
    byCode: Generated<boolean>;
    startsAt: DefaultTime;
    endsAt: Time | null;
    paused: Generated<boolean>;
    mostUses: number | null;
    used: Generated<number>;
    version: Generated<number>;
    key: string | null;
    createdAt: DefaultTime;
  };
  offerCodes: {
    code: string;
    offerId: number;
    written: string;
    mostUses: number | null;
    used: Generated<number>;
    batch: string | null;
  };
  offerUses: {
    orderId: string;
    offerId: number;
    code: string | null;
    cents: number;
    terms: Json<Record<string, unknown>>;
    held: Generated<boolean>;
    shopper: Generated<Buffer[]>;
  };
  orderNotes: { id: string; orderId: string; author: string; text: string; writtenAt: DefaultTime };
  customerNotes: { id: string; userId: string; author: string; text: string; writtenAt: DefaultTime };
  orderTags: { orderId: string; folded: string; word: string };
  customerTags: { userId: string; folded: string; word: string };
  reservations: { orderId: string; productId: string; size: string; quantity: number };
  payments: {
    reference: string;
    orderId: string;
    state: "created" | "pending" | "paid" | "unpaid" | "refused";
    provider: Generated<string>; // the id of a provider's description
    kobo: BigInteger;
    mode: string | null; // test or live
    accessCode: string | null;
    authorizationUrl: string | null;
    providerId: string | null;
    providerStatus: string | null;
    paidKobo: ColumnType<string | null, string | number | bigint | null | undefined, string | number | bigint | null>;
    paidCurrency: string | null;
    paidAt: Time | null;
    differs: Generated<boolean>;
    awaitedSince: Time | null;
    checks: Generated<number>;
    nextCheckAt: Time | null;
    leasedUntil: Time | null;
    payerEmail: string | null;
    webhookAt: Time | null;
    traceparent: string | null;
    lastError: string | null;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
    refundingKobo: ColumnType<string, never, never>; // both written by a trigger of refunds
    refundedKobo: ColumnType<string, never, never>;
    providerRefundedKobo: ColumnType<string | null, number | undefined, number>;
  };
  liveShop: { isOnly: Generated<boolean>; since: DefaultTime };
  numberKey: { isOnly: Generated<boolean>; key: Buffer };
  paymentRefusals: { reference: string; attempt: number; words: string; heardAt: DefaultTime };
  sales: {
    id: Generated<string>;
    orderId: string;
    reference: string;
    userId: string | null;
    status: Generated<"completed" | "refunding" | "refunded">;
    importedStatus: string | null;
    email: string;
    shipping: Json<ShippingDetails>;
    subtotalCents: number;
    shippingCents: number;
    totalCents: number;
    rate: Numeric;
    kobo: BigInteger;
    feesKobo: BigInteger | null;
    packedAt: Date | null;
    fulfilledAt: Date | null;
    carrier: string | null;
    tracking: string | null;
    readyAt: Date | null;
    deliveredAt: Date | null;
    returnedAt: Date | null;
    greetingDismissedAt: Date | null;
    createdAt: DefaultTime;
  };
  saleLines: {
    saleId: string;
    position: number;
    productId: string;
    title: string;
    color: string;
    size: string;
    quantity: number;
    priceCents: number;
    image: Json<ProductImage | null> | null;
  };
  refunds: {
    id: Generated<string>;
    reference: string;
    kobo: BigInteger;
    reason: string;
    state: Generated<"open" | "sent" | "done" | "failed" | "void">;
    /** Who has requested the refund: the shop, or somebody at the provider. */
    origin: Generated<"shop" | "provider">;
    pieces: ColumnType<RefundedPiece[], string | undefined, string>;
    withShipping: Generated<boolean>;
    restock: Generated<boolean>;
    cause: string | null;
    idempotencyKey: string | null;
    providerId: string | null;
    failedBefore: Generated<string[]>;
    tries: Generated<number>;
    nextTryAt: DefaultTime;
    lastError: string | null;
    createdAt: DefaultTime;
    updatedAt: DefaultTime;
  };
  returns: {
    id: Generated<string>;
    counted: Generated<number>;
    number: Generated<string>;
    reference: string;
    state: Generated<"asked" | "approved" | "declined" | "withdrawn" | "received" | "done">;
    reason: "unwanted" | "size" | "damaged" | "wrong";
    wish: "money" | "exchange";
    words: Generated<string>;
    answer: Generated<string>;
    sendBack: Generated<boolean>;
    restocked: Generated<boolean>;
    refundId: string | null;
    carrier: string | null;
    tracking: string | null;
    askedAt: DefaultTime;
    decidedAt: Time | null;
    receivedAt: Time | null;
    endedAt: Time | null;
  };
  staffOrders: {
    orderId: string;
    userId: string | null;
    email: string;
    codeHash: Buffer;
    form: string | null;
    madeAt: DefaultTime;
  };
  payerLinks: {
    orderId: string;
    codeHash: Buffer;
    line: string;
    madeAt: DefaultTime;
  };
  receiptSettings: {
    isOnly: Generated<boolean>;
    since: Time | null;
    seller: Generated<string>;
    address: Generated<string>;
    tin: Generated<string>;
    showsVat: Generated<boolean>;
    version: Generated<number>;
  };
  vatRates: { fromDay: string; tenths: number };
  receipts: {
    saleId: string;
    year: number;
    number: number;
    kobo: BigInteger;
    vatTenths: number | null;
    vatKobo: BigInteger;
    seller: Json<ReceiptSeller>;
    buyer: Json<string[]> | null;
    contents: Json<ReceiptContents>;
    numberedAt: DefaultTime;
  };
  creditNotes: {
    refundId: string;
    saleId: string;
    year: number;
    number: number;
    kobo: BigInteger;
    vatKobo: BigInteger;
    parts: Json<string[]>;
    givenAt: Time;
    numberedAt: DefaultTime;
  };
  receiptsDue: { id: Generated<string>; saleId: string | null; refundId: string | null; at: Time };
  handTakings: {
    reference: string;
    kobo: BigInteger;
    roundingKobo: ColumnType<string, number | undefined, number>;
    bankReference: string | null;
    takenBy: string;
    takenAt: DefaultTime;
    form: string | null;
    countId: BigInteger | null;
  };
  tillCounts: {
    id: Generated<string>;
    expectedKobo: BigInteger;
    countedKobo: BigInteger;
    countedBy: string;
    countedAt: DefaultTime;
  };
  handRefunds: {
    id: Generated<string>;
    reference: string;
    kobo: BigInteger;
    note: string;
    askedAt: DefaultTime;
    bankReference: string | null;
    givenBy: string | null;
    givenAt: Time | null;
    countId: BigInteger | null;
  };
  returnPieces: {
    returnId: string;
    productId: string;
    size: string;
    quantity: number;
    newSize: string | null;
    newProductId: string | null;
    newColor: string | null;
  };
  sizeChanges: {
    saleId: string;
    number: number;
    productId: string;
    fromSize: string;
    toSize: string;
    quantity: number;
    byShopper: boolean;
    changedAt: DefaultTime;
  };
  returnPictures: { id: string; returnId: string; place: number; addedAt: DefaultTime };
  webhookInbox: {
    bodyHash: Buffer;
    event: string;
    reference: string | null;
    body: string;
    receivedAt: DefaultTime;
  };
  paymentIssues: {
    id: Generated<string>;
    reference: string;
    kind: string;
    refundId: string | null;
    provider: Generated<string>;
    details: ColumnType<Record<string, unknown>, string | undefined, string>;
    createdAt: DefaultTime;
    resolvedAt: Time | null;
  };
  outbox: {
    id: Generated<string>;
    idempotencyKey: string;
    recipient: string;
    kind: string;
    data: Json<Record<string, unknown>>;
    messageId: string;
    state: Generated<"queued" | "sent" | "failed">;
    tries: Generated<number>;
    lastError: string | null;
    createdAt: DefaultTime;
    sentAt: Time | null;
    forgetRecipient: Generated<boolean>;
  };
  auditLog: {
    id: Generated<string>;
    at: DefaultTime;
    actor: string;
    door: "command" | "office";
    action: string;
    subjectKind: string;
    subjectId: string;
    before: Json<object | null> | null;
    after: Json<object | null> | null;
  };
  shopSettings: {
    isOnly: Generated<boolean>;
    email: string | null;
    whatsapp: string | null;
    instagramUrl: string | null;
    xUrl: string | null;
    sizeLimit: number | null;
    staffShare: number | null;
    notice: Generated<string>;
    noticeFrom: Time | null;
    noticeUntil: Time | null;
    noticeShown: Generated<boolean>;
    hero: Json<HeroSlide[]> | null;
    homeSections: string | null; // JSON of HomeSection[]
    sender: Generated<string>;
    senderPhone: Generated<string>;
    carriers: Generated<string>;
    shopName: string | null;
    wordmark: string | null;
    tagline: string | null;
    footerLine: string | null;
    returnDays: number | null;
    damageHours: number | null;
    refundDays: number | null;
    packFrom: number | null;
    packTo: number | null;
    nigeriaFrom: number | null;
    nigeriaTo: number | null;
    abroadFrom: number | null;
    abroadTo: number | null;
    courierColumns: Json<{ heading: string; cell: string }[]> | null;
    cardFor: Generated<"color" | "model">;
    cashRounding: Generated<"down" | "none">;
    othersPay: Generated<"no" | "yes">;
  };
  staff: {
    id: Generated<string>;
    email: string;
    name: Generated<string>;
    role: "owner" | "orders" | "catalogue" | "reader" | "packer" | "bookkeeper" | "own";
    ownRole: string | null;
    password: string | null;
    totpSecret: string | null;
    totpStep: Generated<number>;
    createdAt: DefaultTime;
    joinedAt: Time | null;
  };
  staffRoles: { name: string; permissions: string[] };
  staffInvitations: { staffId: string; codeHash: Buffer; expiresAt: Time };
  staffPasskeys: {
    id: string;
    staffId: string;
    publicKey: Buffer;
    counter: BigInteger;
    transports: Generated<string[]>;
    device: string;
    createdAt: DefaultTime;
    usedAt: Time | null;
  };
  staffRecoveryCodes: { staffId: string; codeHash: Buffer };
  staffChallenges: { hash: Buffer; purpose: "sign-in" | "register" | "code"; staffId: string | null; expiresAt: Time };
  staffSessions: {
    tokenHash: Buffer;
    id: Generated<string>;
    staffId: string;
    device: string;
    createdAt: DefaultTime;
    usedAt: DefaultTime;
  };
  notificationKeys: { isOnly: Generated<boolean>; publicKey: Buffer; privateKey: Buffer; madeAt: DefaultTime };
  notificationDevices: {
    id: Generated<string>;
    staffId: string;
    sessionHash: Buffer;
    expiresAt: Time;
    endpoint: string;
    publicKey: Buffer;
    secret: Buffer;
    device: string;
    kinds: string[];
    createdAt: DefaultTime;
  };
  notifications: {
    deviceId: string;
    kind: string;
    subject: string;
    about: Json<{ name: string; kobo?: number; path: string }>;
    happenedAt: Time;
    tries: Generated<number>;
    nextTryAt: Time | null;
    answer: string | null;
  };
  subscriptions: { id: Generated<string>; firstName: string; email: string; createdAt: DefaultTime };
  assets: { name: string; build: string; savedAt: DefaultTime; brotli: Buffer };
  oldAddresses: { path: string; leadsTo: string };
  missedAddresses: { path: string; times: number; firstAt: DefaultTime; lastAt: DefaultTime };
  schemaState: {
    isOnly: Generated<boolean>;
    migrations: Json<Record<string, string>>;
    objects: Json<Record<string, string>>;
    serverVersion: number;
    recordedAt: DefaultTime;
  };
  writeCheck: { isOnly: Generated<boolean>; writtenAt: DefaultTime };
};
