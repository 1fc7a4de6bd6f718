-- What customs ask about a product is among its details. The version before shows and keeps only those that it knows.

comment on column products.details is '{fabric, fit, back, care, origin}, each a sentence or two, or missing; for customs {weightGrams, hsCode, originCountry}: the weight of one piece, digits, and an ISO 3166 alpha-2 code';
