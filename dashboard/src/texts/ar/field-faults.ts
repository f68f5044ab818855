import { formatCount } from "../../lib/format.ts";
import type { fieldFaults as english } from "../en/field-faults.ts";
import { isolated } from "./arabic.ts";
import { blockReasons, forms } from "./fault-words.ts";
import { resources } from "./resources.ts";

/** In brackets, if it has a word here. */
const inBrackets = (words: Readonly<Partial<Record<string, string>>>, word: string) =>
  words[word] === undefined ? "" : ` (${words[word]})`;

/** What is wrong with a field, after its name and a colon. The marks around what is inserted keep its direction. */
export const fieldFaults: typeof english = {
  // Presence, types, sizes
  required: "مطلوب",
  required_without: ({ field }) => `مطلوب إن لم يوجد «${isolated(field)}»`,
  repeated: "مكرر في القائمة",
  not_together: ({ field }) => `لا يمكن استخدامه مع «${isolated(field)}»`,
  needs: ({ field }) => `يلزم معه «${isolated(field)}»`,
  differs: ({ field }) => `يجب أن يطابق «${isolated(field)}»`,
  invalid: "غير صالح",
  wrong_form: ({ expected }) => (forms[expected] === undefined ? "غير صالح" : `يجب أن يكون ${forms[expected]}`),
  empty: "لا يمكن أن يكون فارغًا",
  too_short: ({ min }) => `يلزم ${formatCount(min)} من الأحرف على الأقل`,
  too_long: ({ max }) => `يُسمح بما لا يزيد على ${formatCount(max)} من الأحرف`,
  too_long_encoded: ({ max }) => `يُسمح بما لا يزيد على ${formatCount(max)} من الأحرف، مع احتساب ترميز %`,
  wrong_length: ({ min, max }) => `يلزم من ${formatCount(min)} إلى ${formatCount(max)} من الأحرف`,
  too_few: ({ min }) => `يلزم ${formatCount(min)} من العناصر على الأقل`,
  too_many: ({ max }) => `يُسمح بما لا يزيد على ${formatCount(max)} من العناصر`,
  too_many_bytes: ({ max, actual }) =>
    `يُسمح بما لا يزيد على ${formatCount(max)} من البايتات${actual === undefined ? "" : `؛ الحجم الآن ${formatCount(actual)}`}`,
  too_small: ({ min }) => `يجب ألا يقل عن ${formatCount(min)}`,
  too_large: ({ max }) => `يجب ألا يزيد على ${formatCount(max)}`,
  not_more_than: ({ min }) => `يجب أن يكون أكبر من ${formatCount(min)}`,
  out_of_range: ({ min, max }) => `يجب أن يكون من ${formatCount(min)} إلى ${formatCount(max)}`,
  not_whole: "يجب أن يكون عددًا صحيحًا",
  not_one_of: ({ allowed }) => `يجب أن يكون أحد هذه: ${isolated(allowed.join("، "))}`,
  unreadable: "لا يُسمح بفواصل الأسطر ولا بأحرف لا تُقرأ",
  unreadable_character: ({ value, at }) =>
    `لا يُسمح بأحرف لا تُقرأ${value === undefined ? "" : `؛ احذف ${isolated(value)}، وهو الحرف رقم ${at}`}`,
  has_spaces: "لا يُسمح بالمسافات ولا بفواصل الأسطر ولا بأحرف لا تُقرأ",
  has_spaces_or_backslashes: "لا يُسمح بالمسافات ولا بالشرطات المائلة العكسية ولا بفواصل الأسطر ولا بأحرف لا تُقرأ",

  // Things, times, periods
  unknown: ({ resource, value }) =>
    `يجب أن يكون من ${resources[resource][1]} في الحساب${value === undefined ? "" : `؛ ${isolated(value)} ليس منها`}`,
  not_a_time: "يجب أن يكون وقتًا موجودًا، من 1970 إلى 9999",
  not_milliseconds: "يجب أن يكون بعد 2001",
  in_the_past: "يجب أن يكون في المستقبل",
  in_the_future: "لا يمكن أن يكون في المستقبل",
  not_after: ({ field }) => `يجب أن يكون بعد «${isolated(field)}»`,
  not_before: ({ field }) => `يجب أن يكون قبل «${isolated(field)}»`,
  before_creation: "يجب أن يكون بعد الإنشاء",
  period_too_long: ({ max }) => `المدة قبل النهاية لا تزيد على ${max} من السنوات`,
  period_too_full: ({ max, resource }) =>
    `يجب أن تكون الفترة أقصر: فيها أكثر من ${formatCount(max)} من ${resources[resource][1]}`,
  too_many_buckets: ({ max }) => `يجب أن تكون الخطوة أطول: في الفترة أكثر من ${formatCount(max)} من هذه الخطوات`,
  no_period_before: "غير ممكن، لأنه لا فترة قبل هذه الفترة",
  not_a_time_zone: "يجب أن يكون اسم منطقة زمنية، مثل \u2066Europe/Berlin\u2069",
  too_many_selected: ({ max, resource }) =>
    `يشمل أكثر من ${formatCount(max)} من ${resources[resource][1]}؛ حدّد عددًا أقل`,
  too_many_left_out: ({ max }) => `يجب استبعاد روابط أقل: يمكن استبعاد ${formatCount(max)} على الأكثر`,
  all_left_out: "يستبعد كل شيء",

  // Destinations, hosts, addresses
  not_http: "يجب أن يبدأ بـ \u2066http://\u2069 أو \u2066https://\u2069",
  not_https: "يجب أن يكون عنوان URL يبدأ بـ \u2066https://\u2069",
  not_a_url: "يجب أن يكون عنوان URL كاملًا، مثل \u2066https://example.com/page\u2069",
  not_an_image_url: ({ max }) =>
    `يجب أن يكون عنوان https لصورة، باسم مضيف وبما لا يزيد على ${formatCount(max)} من الأحرف`,
  not_an_app_url: "يجب أن يكون عنوانًا كاملًا، مثل \u2066acme://spring\u2069",
  refused_scheme:
    "يجب أن يبدأ بـ \u2066https://\u2069 أو بمخطط تطبيق، مثل \u2066acme:\u2069؛ لا تُقبل المخططات التي تفتح متصفحًا أو تدفع أو يتولاها النظام نفسه (\u2066javascript:\u2069، \u2066intent:\u2069، \u2066tel:\u2069، \u2066upi:\u2069 وغيرها)",
  not_a_short_url: "يجب أن يكون رابطًا قصيرًا بمضيف ولاحقة، مثل \u2066go.example/spring\u2069",
  too_long_with_utm: ({ max }) => `يجب ألا يزيد طول العنوان معها على ${formatCount(max)} من الأحرف`,
  has_credentials: "لا يُسمح باسم مستخدم ولا بكلمة مرور؛ أزل الجزء الذي ينتهي بالعلامة @",
  no_host: "يلزم اسم مضيف بعد \u2066//\u2069، مثل \u2066https://example.com/page\u2069",
  wrong_host: ({ value }) => `يلزم اسم مضيف صالح؛ ${isolated(value)} ليس كذلك`,
  wrong_host_end: "يجب أن ينتهي اسم المضيف بحرف أو أن يكون عنوان IPv4",
  wrong_host_characters: "لا يُسمح في اسم المضيف إلا بحروف وأرقام وشرطات وشرطات سفلية ونقاط",
  empty_host_label: "لا يُسمح بنقطتين متتاليتين في اسم المضيف ولا بنقطة في أوله",
  hyphen_at_label_end: "لا يُسمح في اسم المضيف بشرطة في أول جزء بين النقاط أو في آخره",
  host_label_too_long: ({ max }) => `لا يُسمح بأكثر من ${formatCount(max)} من الأحرف بين نقطتين في اسم المضيف`,
  host_too_long: ({ max }) => `لا يُسمح باسم مضيف يزيد على ${formatCount(max)} من الأحرف`,
  wrong_punycode: "يلزم اسم مضيف دولي صالح؛ ما بعد \u2066xn--\u2069 لا يُقرأ",
  wrong_port: "يجب أن يكون المنفذ من 1 إلى 65535",
  refused_port: ({ value }) => `لا يُسمح بالمنفذ ${isolated(value)}، لأن المتصفحات ترفضه`,
  refused_outbound_port: ({ min }) => `يجب أن يكون المنفذ 80 أو 443 أو من ${min} إلى 65535`,
  unreachable_host: ({ value, address }) =>
    `يلزم مضيف يمكن للمتصفح الوصول إليه؛ ${isolated(value)} هو العنوان ${isolated(address)}`,
  unusual_ip_address: ({ suggestion }) => `يلزم عنوان IPv4 بصيغته المعتادة، ${isolated(suggestion)}`,
  private_host: "يجب أن يكون على مضيف عام، لا خاص ولا داخلي",
  leads_back: "لا يمكن أن يعود إلى هذه الخدمة",
  leads_to_domain: "لا يمكن أن يؤدي إلى نطاق لهذه الخدمة",
  blocked: ({ reason }) => `يؤدي إلى مضيف أو صفحة تحظرها هذه الخدمة${inBrackets(blockReasons, reason)}`,
  too_many_nested_urls: ({ max }) => `لا يُسمح بهذا العدد من العناوين الأخرى داخله؛ الحد الأقصى ${formatCount(max)}`,
  not_a_host: "يجب أن يكون اسم مضيف وحده، مثل \u2066example.com\u2069؛ وهو يشمل نطاقاته الفرعية",
  not_a_host_or_url: "يجب أن يكون مضيفًا، مثل \u2066evil.example\u2069، أو عنوان URL كاملًا",
  not_a_host_name: "ليس اسم مضيف صالحًا",
  not_only_a_host: ({ suggestion = "go.acme.com" }) => `يجب أن يكون اسم مضيف وحده: ${isolated(suggestion)}`,
  wildcard: "يجب أن يكون اسمًا واحدًا؛ أحرف البدل غير مدعومة",
  ip_address: "يجب أن يكون اسمًا، لا عنوان IP",
  wrong_host_labels: "يجب أن يتكوّن من أجزاء من حروف وأرقام وشرطات تفصل بينها نقاط، ولا يبدأ جزء بشرطة ولا ينتهي بها",
  too_few_labels: "يلزم جزءان على الأقل، مثل \u2066go.acme.com\u2069",
  special_name: "نطاقه الأعلى ليس لأي مضيف عام",
  public_suffix: "لاحقة عامة، يمكن لأي شخص تسجيل أسماء تحتها",
  own_host: "هو مضيف الخدمة نفسها أو نطاق فرعي له",
  above_own_host: "هو نطاق أعلى من مضيف الخدمة نفسها",
  like_own_host: "يشبه مضيف الخدمة نفسها",
  anonymous_host: "هو مضيف الروابط التي تُنشأ بلا حساب",
  shared_host: "هو مضيف لكثير من الناس صفحات عليه؛ احجب النطاق الفرعي أو الروابط",
  not_an_email: "يجب أن يكون عنوان بريد إلكتروني، مثل \u2066ann@example.com\u2069",
  email_not_ascii: "يجب أن يكون بأحرف ASCII فقط؛ ويُكتب النطاق الدولي بترميز Punycode ‏(\u2066xn--…\u2069)",
  email_not_punycode: ({ suggestion }) => `يجب كتابة النطاق الدولي بترميز Punycode: ${isolated(suggestion)}`,

  // Links
  wrong_slug: ({ max }) =>
    `يلزم من 1 إلى ${formatCount(max)} من الحروف أو الأرقام أو \u2066-\u2069 أو \u2066_\u2069. يمكن للنطاق الخاص أن يسمح بشرطات مائلة مفردة بينها`,
  reserved: "محجوز للخدمة",
  nested_slugs_off:
    "تحتوي على شرطة مائلة، ويلزم لها نطاق خاص يسمح بالشرطات المائلة في اللاحقات. اسمح بها في إعدادات النطاق، أو اختر لاحقة بلا شرطة مائلة",
  not_an_alias: "لا يُسمح إلا بلاحقات سابقة لهذا الرابط",
  dots_only: "لا يمكن أن يكون \u2066.\u2069 أو \u2066..\u2069، فلا يكونان جزءًا من عنوان URL",
  too_many_tags: ({ max }) => `بذلك يصير للرابط أكثر من ${formatCount(max)} من الوسوم`,
  also_in: ({ field }) => `لا يمكن أن تكون فيه قيمة موجودة في «${isolated(field)}»`,
  no_condition: "يلزم شرط واحد على الأقل",
  not_a_country: "يجب أن يكون بلدًا (ISO 3166-1)، مثل DE أو GB",
  not_a_region: "يجب أن يكون منطقة (ISO 3166-2)، مثل \u2066US-CA\u2069",
  not_a_language: "يجب أن يكون لغة (BCP 47)، مثل de أو \u2066pt-BR\u2069",
  repeated_country: "لا يُذكر كل بلد إلا مرة واحدة",
  everybody: "يجب أن يكون أقل من 100؛ اتركه فارغًا لجميع الزوار",
  on_together: ({ field }) => `لا يمكن تفعيله مع «${isolated(field)}». عطّل ذلك أولًا`,

  // QR codes
  not_a_colour: "يجب أن يكون \u2066#rgb\u2069 أو \u2066#rrggbb\u2069",
  not_darker: ({ value }) =>
    `يجب أن يكون أغمق من الخلفية ${isolated(value)}: كثير من القارئات لا تقرأ رمزًا فاتحًا على خلفية داكنة`,
  low_contrast: ({ value, actual, min }) =>
    `تباينه مع الخلفية ${isolated(value)} قليل جدًا: ${actual} إلى 1، وتحتاج القارئات إلى ${min} إلى 1`,
  as_bright: ({ value }) =>
    `سطوعه قريب من سطوع الخلفية ${isolated(value)}: كثير من القارئات لا ترى الألوان، فاختر لهذا النمط لونًا أغمق أو خلفية أفتح`,
  content_too_long: ({ level }) => `أطول من أن يسعه رمز بالمستوى ${isolated(level)}؛ اختصره أو اختر مستوى أدنى`,
  too_long_for_style: "أطول من أن يناسب هذا النمط؛ اختر محتوى أقصر، أو مستوى أدنى، أو نقاطًا وزوايا مربعة بلا إطار",
  code_too_small: ({ min }) => `يجب ألا يقل هنا عن ${formatCount(min)}، لتتمكن القارئات من قراءة الرمز`,
  low_level: "يجب أن يكون Q أو H مع شعار، لأن الشعار يغطي جزءًا من الرمز",
  logo_too_large: ({ max, level }) =>
    `يجب ألا يزيد على ${formatCount(max)} مع المستوى ${isolated(level)}، الذي لا يصحح أكثر من ذلك`,
  small_margin: ({ min }) => `يجب ألا يقل عن ${formatCount(min)} مع إطار، حتى لا تعدّه القارئات جزءًا من الرمز`,
  unknown_letters: ({ value }) =>
    `يُسمح بالحروف اللاتينية للغات الأوروبية والأرقام وعلامات الترقيم، لا بـ ${isolated(value)}`,
  not_an_image: "يجب أن يكون صورة PNG أو JPEG",
  other_image: ({ value }) => `مصرّح بأنه صورة من نوع ${isolated(value)}، لكنه من نوع آخر`,
  cut_image: ({ value }) => `ليس ${isolated(value)} كاملًا`,
  too_many_pixels: ({ max }) =>
    `وحدات البكسل أكثر مما يسعه PNG أو PDF: صغّره إلى ${formatCount(max)} في ${formatCount(max)} على الأكثر`,
  interlaced_image: "صورة PNG متشابكة، لا يعرضها إلا SVG: احفظها بلا تشابك",
  cannot_unpack: "لا يمكن فك ضغطه: احفظه بصيغة PNG أخرى",

  // Rows of imports
  wrong_cell_count: ({ actual, max }) => `عدد الخلايا ${formatCount(actual)}، لكن عدد أعمدة الملف ${formatCount(max)}`,
  open_quote: "فيه علامة اقتباس تشمل صفوفًا تحته. أغلقها، أو كررها إن كانت حرفًا من النص",
  repeated_cell_name: ({ value }) => `فيه ${isolated(value)} أكثر من مرة. اذكر كل اسم مرة واحدة`,
  unknown_word: ({ value }) => `فيه الكلمة ${isolated(value)}، وليست نعم ولا لا. اكتب true أو false`,
  home_page: "هو عنوان النطاق نفسه. حدّد وجهته في إعدادات النطاق",
  no_column: "ليس عمودًا في الملف",
  mapped_twice: ({ field }) => `لا يمكن أن يكون «${isolated(field)}»، فهو لعمود آخر`,

  // Accounts and persons
  not_the_name: ({ value }) => `يجب أن يكون اسم الحساب: ${isolated(value)}`,
  retention_out_of_range: ({ min, max }) => `يجب أن يكون في هذه الخدمة من ${formatCount(min)} إلى ${formatCount(max)}`,
  common_password: "من أكثر كلمات المرور شيوعًا؛ اختر غيرها",
  guessable_password: "مكوّنة من اسمك أو عنوانك أو كلمات هذه الخدمة؛ أضف كلمات أخرى",
  breached_password: "معروفة من تسريب لخدمة أخرى؛ اختر غيرها",
  other_browser: "مطلوب، لأن هذا ليس المتصفح الذي تم التسجيل منه",
  wrong_setup_code: "ليس رمز إعداد هذا التثبيت",
  ended_setup_code:
    "لم يعد صالحًا: استُخدم أو مضى عليه أكثر من 7 أيام. أنشئ رمزًا آخر بالأمر npm run account -- setup-code --remote",
  wrong_origin: ({ expected }: { expected: string }) => `يجب أن يكون ${expected}، وهو عنوان هذه الصفحة`,
  unclaimable_origin: "يجب أن يبدأ بـ https:‎ وألا يكون عنوان معاينة ولا نطاقًا خاصًا",
  wrong_code: "غير صحيح؛ تحقق من ساعة الجهاز وجرّب الرمز التالي",
  same_email: "هو عنوانك بالفعل",
  refused_email: "يجب أن يكون في نطاق تقبله هذه الخدمة",
  not_the_invited: "يجب أن يكون العنوان المدعو",
  dead_token: "لا يعمل: استُخدم أو انتهت صلاحيته أو استُبدل؛ اطلب رسالة جديدة",
  not_enough: "لا يكفي هنا",
  yourself: "هو أنت؛ اذكر عضوًا آخر",
};
