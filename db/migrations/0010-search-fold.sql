-- One fold for words in other letters: docs/decisions/047. It asks no locale, so it says the same in every database.
-- app/infra/text/fold.ts does the same to what is typed.

-- Letters that are searched as others, of a text without marks. Each of its letters is looked for in the whole list, so that
-- most texts, which have none of these, go past it.
create function fold_others(bare text) returns text language sql immutable parallel safe return
    replace(replace(replace(replace(translate(lower(bare collate "C"),
      'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢ'
      'ȤȺȻȽȾɁɃɄɅɆɈɊɌɎẞỺỼỾℲↃⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀ'
      'ꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮ'
      'ꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ'
      'ͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϷϺϽϾϿ'
      'ЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲ'
      'ѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂ'
      'ԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮᲉꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆ'
      'ꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚ'
      'ϢϤϦϨϪϬϮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤ'
      'ႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮ'
      'ᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠ'
      'ᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬ'
      'ᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠ'
      'ⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄ'
      'ⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟'
      '𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵'
      '𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔'
      '𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣'
      '𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏'
      '𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈'
      '𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡'
      'ðđøħıłŋŧƀɓɖɗƒɠɣƙƴɲɛɔǝəɩʋƈƥƭɨʉƶςґىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      'ædoþdhlnœtbƃƅocddƌeeefggiikɯnɵƣpʀƨʃtʈʊvyzʒƹƽǥƕƿȝƞȣ'
      'ȥⱥȼƚⱦɂbuʌɇɉɋɍɏßỻỽỿⅎↄⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁ'
      'ꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪ'
      'ʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ'
      'ͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϸϻͻͼͽ'
      'ђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳ'
      'ѵѹѻѽѿҁҋҍҏгғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃ'
      'ԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯᲊꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇ'
      'ꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛ'
      'ϣϥϧϩϫϭϯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄ'
      'ⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾ'
      'ꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰ'
      'ꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწ'
      'ჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐ'
      'ⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅ'
      'ⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇'
      '𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜'
      '𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔'
      '𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃'
      '𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯'
      '𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪'
      '𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'
      'ddohilntbbddfggkyneoeeivcptiuzσгيهكي01234567890123456789'
    ), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th');

-- Letters that are searched alike: decomposed, without their marks and what nobody sees, in lower case, and other letters
-- as those they stand for. ASCII, which most texts are, needs none of it.
create function fold_letters(given text) returns text language sql immutable parallel safe return
  case when octet_length(given) = char_length(given) then lower(given collate "C") else (
    select case when bare ~ '[^\u0001-\u007f\u2000-\u206f]' then fold_others(bare) else lower(bare collate "C") end
    from (select regexp_replace(normalize(given, NFKD),
      '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc'
      '\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u07eb-\u07f3\u07fd\u180b-\u180e\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f'
      '\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001e944-\U0001e94a]', '', 'g') as bare offset 0) without_marks
  ) end;

-- The words of a text, one space between them.
create function fold(given text) returns text language sql immutable parallel safe return
  trim(regexp_replace(fold_letters(given), '[\u0001-/:-@\[-`{-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4'
    '\u0600-\u060f\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1361-\u1368\u1680\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030'
    '\u303d-\u303f\u30fb\ufffc\ufffd\U0001f000-\U0001faff]+', ' ', 'g'));

-- Its words, and those that a quote or a hyphen parts as one, too: "O'Brien" is o, brien and obrien.
create function whole_words(given text) returns text language sql immutable parallel safe return
  fold(given) || case when given ~ '\S[''`´ʹʻʼʽ‘’‛′＇‐‑‒–—−-]\S'
    then ' ' || fold(regexp_replace(given, '[''`´ʹʻʼʽ‘’‛′＇‐‑‒–—−-]', '', 'g')) else '' end;

-- A phone's digits as they were typed, of Nigeria with 0 in place of the country, and the last nine, which are the same in
-- all ways to write it. Abroad they may be fewer: there the last six to ten.
create function phone_words(phone text, country text) returns text language sql immutable parallel safe return (
  select digits || ' ' || regexp_replace(digits, '^(00|009)?2340?', '0') || ' ' || right(digits, 9)
    || case when country = 'Nigeria' then '' else (select string_agg(' ' || right(digits, last), '') from unnest('{6,7,8,10}'::integer[]) last) end
  from (select regexp_replace(fold_letters(coalesce(phone, '')), '[^0-9]', '', 'g') as digits) typed
);

create or replace function order_words(number text, email text, shipping jsonb) returns tsvector language sql immutable return
  array_to_tsvector(array_remove(string_to_array(
    lower(concat_ws(' ', number, replace(number, '-', ''), email) collate "C")
    || ' ' || whole_words(coalesce(shipping ->> 'firstName', '') || ' ' || coalesce(shipping ->> 'lastName', ''))
    || ' ' || phone_words(shipping ->> 'phoneNumber', shipping ->> 'country'), ' '), ''));

create or replace function customer_words(email text, first_name text, last_name text) returns tsvector language sql immutable return
  array_to_tsvector(array_remove(string_to_array(
    lower(email collate "C") || ' ' || whole_words(first_name || ' ' || last_name), ' '), ''));

create function product_words(title text, color text, kinds text[]) returns tsvector language sql immutable return
  setweight(to_tsvector('english', fold(title)), 'A') || setweight(to_tsvector('english', fold(color)), 'B') || array_to_tsvector(kinds)
    || to_tsvector('english', substr(whole_words(title), length(fold(title)) + 1));

create function write_product_words() returns trigger language plpgsql as $$
begin
  new.search := product_words(new.title, new.color, new.kinds);
  return new;
end $$;

create or replace function learn_words() returns trigger language plpgsql as $$
begin
  insert into search_words
  select distinct word from regexp_split_to_table(fold(new.title || ' ' || new.color), '[ 0-9]+') word
  where length(word) > 2 order by word
  on conflict do nothing;
  return null;
end $$;

-- The shop may be open meanwhile: what takes long is done before products are locked for everybody.
update users set email = email where words is distinct from customer_words(email, first_name, last_name);
update orders set words = order_words(number, email, shipping) where words is distinct from order_words(number, email, shipping);
lock table products in share row exclusive mode; -- they can be read
insert into search_words
select distinct word from products, regexp_split_to_table(fold(title || ' ' || color), '[ 0-9]+') word
where length(word) > 2 order by word
on conflict do nothing;
create temporary table new_words on commit drop as
select id, words from (select id, search, product_words(title, color, kinds) as words from products) one where search is distinct from words;
create index products_by_title on products ((fold(title) collate "C"), id);
comment on index products_by_title is 'the office''s lists by title';
alter table products alter column search drop expression;
create trigger write_words before insert or update of title, color, kinds on products
  for each row execute function write_product_words();
update products set search = new_words.words from new_words where new_words.id = products.id;
