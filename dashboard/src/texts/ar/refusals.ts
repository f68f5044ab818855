import { formatCount, formatSize } from "../../lib/format.ts";
import type { refusals as english } from "../en/refusals.ts";
import { isolated } from "./arabic.ts";
import { resources } from "./resources.ts";

/** Why a request was refused as a whole. The marks around what is inserted keep its direction. */
export const refusals: typeof english = {
  // Anything
  not_found: ({ resource }) => `تعذّر العثور على ${resources[resource][0]}. ربما حُذف.`,
  of_another_account: ({ resource }) => `${resources[resource][0]} في حساب آخر. انتقل إلى ذلك الحساب أولًا.`,
  limit_reached: ({ resource, max }) =>
    `بلغ عدد ${resources[resource][1]} ${formatCount(max)}، وهو الحد الأقصى. ${resources[resource][2] ?? "أزل واحدًا أولًا."}`,
  too_many_running: ({ resource, max }) =>
    `عدد ${resources[resource][1]} الجارية الآن ${formatCount(max)}، وهو الحد الأقصى. ${resources[resource][2] ?? "انتظر حتى تنتهي واحدة منها."}`,
  changed_meanwhile: ({ resource }) =>
    `غيّر طلب آخر ${resources[resource][0]} للتو. لم يُنفَّذ شيء. أعد تحميل الصفحة وحاول مرة أخرى.`,
  changed_since_read: ({ resource }) =>
    `غيّر شخص آخر ${resources[resource][0]} في هذه الأثناء. أعد تحميل الصفحة وحاول من جديد.`,
  changed_since_job: "تغيّر الرابط بعد المهمة، فلم يُتراجع عن تغييره.",
  access_changed: ({ resource }) => `تغيّر وصولك للتو (${resources[resource][1]}). لم يُنفَّذ شيء. أعد تحميل الصفحة.`,
  exists: ({ resource, value }) =>
    `تمت إضافة ${resources[resource][0]} من قبل${value === undefined ? "" : `: ${isolated(value)}`}.`,
  taken: ({ field, value }) => `${field}: القيمة ${isolated(value)} مستخدمة. اختر غيرها.`,
  wrong_state: ({ resource }) => `هذا غير ممكن في الحالة الحالية: ${resources[resource][0]}.`,
  decided_already: ({ resource }) => `سبق البتّ في ${resources[resource][0]}.`,

  // Too many calls: the wait follows
  too_many_attempts: "كثرت المحاولات الخاطئة.",
  too_many_started: ({ resource, max }) =>
    `بلغ عدد ${resources[resource][1]} في الساعة الحد الأقصى، وهو ${formatCount(max)}.`,
  too_many_uploads: ({ max }) => `بلغ عدد الملفات المرفوعة في الساعة الحد الأقصى، وهو ${formatCount(max)}.`,
  csv_is_being_written: "يُكتب الآن ملف CSV آخر لهذا الحساب. لا يُكتب إلا ملف واحد في كل مرة.",
  too_many_viewers: "يشاهد الصفحات المشتركة لهذا الحساب عدد كبير جدًا من الأشخاص.",
  too_many_invitations: "تلقّى هذا العنوان عدة دعوات مؤخرًا.",
  too_many_mails: "ترسل هذه الخدمة رسائل كثيرة جدًا الآن. لم تُرسل أي رسالة.",
  too_many_reset_links: ({ max }) =>
    `حصل هذا الشخص على ${formatCount(max)} من هذه الروابط في الساعة الأخيرة، وهو الحد الأقصى.`,
  too_many_own_mails: "تلقّى عنوانك رسائل كثيرة جدًا عن مثل هذه التغييرات. لم يتغير شيء.",

  // What does not work at the moment
  dns_failed: ({ value }) =>
    `تعذّرت قراءة سجلات DNS للنطاق ${isolated(value)}. لم يتغير شيء. تحقق من خوادم الأسماء للنطاق وحاول مرة أخرى.`,
  no_mail: "لا يمكن لهذه الخدمة إرسال الرسائل بعد. على مشغّلها إعداد ذلك.",
  unclaimed: "لا مالك لهذا التثبيت بعد. على مشغّله أن يطالب به أولًا.",
  no_base_url: "لا يمكن لأحد تسجيل الدخول إلى هذه الخدمة بعد. على مشغّلها إعداد ذلك.",

  // Bodies and URLs
  body_too_large: ({ max }) => `هذا أكبر من ${isolated(formatSize(max))}. اختصره أو قسّمه.`,
  changes_too_large: ({ max }) => `التغييرات أكبر من ${isolated(formatSize(max))}. اختصرها.`,
  link_too_large: ({ max }) => `الرابط أكبر من ${isolated(formatSize(max))}. اختصر نصوصه وقواعده.`,
  file_too_large: ({ max }) => `الملف أكبر من ${isolated(formatSize(max))}. قسّمه إلى عدة ملفات.`,
  cut_body: "لم يصل ما أرسلته كاملًا. حاول مرة أخرى.",
  cut_url: "هذا العنوان غير كامل. انسخه من الرسالة مرة أخرى.",

  // Links
  slug_used_again: ({ value }) => `استُخدمت اللاحقة ${isolated(value)} مرة أخرى بعد الحذف، فلا يمكن استعادة هذا الرابط.`,
  no_free_slug: "لم يُعثر على لاحقة متاحة. حاول مرة أخرى.",
  aliases_of_domain: "للرابط لاحقات سابقة تنتهي مع نطاقه. أزلها أيضًا، أو اترك النطاق كما هو.",
  keeps_short_url: "أُنشئ هذا الرابط بلا حساب، على مضيف لمثل هذه الروابط. لا يمكن تغيير نطاقه ولا لاحقته.",
  not_a_link_id: "تعذّر العثور على هذا الرابط.",
  no_link_at_url: "ليس في هذا الحساب رابط بهذا العنوان القصير.",
  too_many_aliases: ({ max }) =>
    `للرابط ${formatCount(max)} من اللاحقات السابقة، وهو الحد الأقصى، وتُضاف إليها هذه. أزل واحدة منها أولًا.`,
  domain_refused: ({ value, suggestion }) =>
    `${isolated(value)} ليس نطاقًا تم التحقق منه في هذا الحساب. ${suggestion === undefined ? "أضفه وتحقق منه أولًا." : `أدخل اسم المضيف وحده، مثل ${isolated(suggestion)}.`}`,
  too_many_links: ({ max }) =>
    `حصة هذا الحساب من الروابط ${formatCount(max)}. احذف روابط، أو اطلب حصة أكبر من مشغّل الخدمة.`,
  too_many_link_bytes: ({ days }) =>
    `روابط هذا الحساب أكبر من حصته. اختصر روابط أو احذفها، أو اطلب حصة أكبر من مشغّل الخدمة. يُحسب الرابط المحذوف حتى حذفه نهائيًا بعد ${days} من الأيام.`,
  members_only: "تقصّر هذه الخدمة العناوين لمستخدميها فقط. سجّل الدخول.",

  // Domains
  links_use_domain: ({ value }) => `لا تزال روابط تستخدم ${isolated(value)}. احذفها أولًا.`,
  links_being_deleted: ({ value }) =>
    `لا تزال الروابط السابقة للنطاق ${isolated(value)} قيد الحذف. حاول مرة أخرى بعد دقيقة.`,
  case_is_set: ({ value, days }) =>
    `لا يمكن تغيير التمييز بين الأحرف الكبيرة والصغيرة في ${isolated(value)}، لأن لهذا الحساب روابط هناك، أو روابط محذوفة يمكن استعادتها. انقل الروابط إلى نطاق آخر أولًا. لا تُحسب الروابط المحذوفة بعد ${days} من الأيام.`,
  case_of_deleted_links: ({ value, days }) =>
    `لهذا الحساب روابط محذوفة في ${isolated(value)} يمكن استعادتها، فيجب أن يبقى التمييز بين الأحرف الكبيرة والصغيرة كما كان. لا تُحسب بعد ${days} من الأيام.`,
  has_nested_slugs: ({ value, days }) =>
    `تبقى الشرطات المائلة في اللاحقات مسموحة في ${isolated(value)}، لأن روابط هناك تستخدمها في لاحقاتها الحالية أو السابقة، أو لأن روابط محذوفة يمكن استعادتها تستخدمها. أعطِ الروابط لاحقات أخرى وأزل تلك اللاحقات السابقة، أو احذف الروابط. لا تُحسب الروابط المحذوفة بعد ${days} من الأيام.`,
  verified_elsewhere: ({ value }) =>
    `تحقق حساب آخر من ${isolated(value)}. أعد التحقق حين يحذف ذلك الحساب النطاق، أو حين يغيب سجل TXT الخاص به أسبوعًا.`,

  // Keys and webhooks
  expires_after_caller: "لا يمكن للمفتاح إنشاء مفتاح ينتهي بعده ولا توسيعه. اختر انتهاءً أقرب.",
  key_lacks_maker: "لم يعد يُسمح للشخص وراء هذا المفتاح بإنشاء مفاتيح في هذا الحساب. يجب أن ينشئه عضو آخر.",
  key_of_caller:
    "المفتاح المستخدم هو هذا المفتاح أو مشتق منه، وكان سيُلغى أيضًا. لم يُلغَ شيء. استخدم مفتاحًا آخر، أو ألغِ المفاتيح واحدًا واحدًا.",
  key_revoked: "أُلغي هذا المفتاح نهائيًا. أنشئ مفتاحًا جديدًا.",
  webhook_inactive: "خطاف الويب هذا متوقف. فعّله أولًا.",
  click_delivered: "سُلِّمت هذه النقرة. لا تُحفظ أحداث النقرات المسلَّمة، فلا يمكن إرسالها مرة أخرى.",
  delivery_dropped: "أُسقط هذا التسليم، لأن عددًا كبيرًا جدًا كان ينتظر. لم يُحفظ حدثه.",
  too_many_secrets: ({ max }) =>
    `يوقّع خطاف الويب هذا بـ ${formatCount(max)} من الأسرار، وهو الحد الأقصى. انتظر حتى ينتهي أقدمها.`,

  // Second factors
  team_needs_factor: "يحتاج هذا الفريق إلى عامل ثانٍ. أضف عاملًا إلى تسجيل دخولك أولًا.",
  team_needs_proof: "يحتاج هذا الفريق إلى عامل ثانٍ. أكّد بالعامل الذي لديك.",
  operators_need_factor: "يحتاج المشغّلون إلى عامل ثانٍ. أضف عاملًا إلى تسجيل دخولك أولًا.",
  operators_need_proof: "يحتاج المشغّلون إلى عامل ثانٍ. أكّد بالعامل الذي لديك.",
  own_factor_first: "أضف عاملًا ثانيًا إلى تسجيل دخولك، أو أكّد بالعامل الذي لديك، قبل أن تطلبه من الآخرين.",

  // Accounts, teams, persons
  not_a_member: "لست عضوًا في هذا الحساب.",
  account_disabled: "عطّل مشغّل هذه الخدمة هذا الحساب.",
  deletion_has_begun: "انقضت الأيام السبعة. يُحذف الحساب نهائيًا.",
  only_owner: ({ value }) =>
    `أنت المالك الوحيد لـ ${isolated(value)}. اجعل عضوًا آخر مالكًا، أو احذف الفريق، ثم حاول من جديد.`,
  last_owner: "يحتاج الفريق إلى مالك. اجعل عضوًا آخر مالكًا أولًا. لم يتغير شيء.",
  role_too_low: "لا يسمح دورك بمنح هذا الدور أو سحبه. اسأل مالكًا في الفريق.",
  role_not_lower:
    "لا ترسل هذه الخدمة رسائل، ولذلك ستحصل أنت على الرابط. يحصل دورك على روابط للأدوار الأدنى فقط. يمكن لمشغّل الخدمة إنشاء غيرها.",
  has_more_access:
    "يستطيع هذا الشخص ما لا تستطيعه، أو لم يأتِ بدعوة إلى هذا الفريق. لا يمكن إلا لمشغّل الخدمة إنشاء هذا الرابط.",
  mail_works: "ترسل هذه الخدمة رسائل. يحصل العضو على واحدة عبر «هل نسيت كلمة المرور؟».",
  ends_own_access: "ما أنشأته في الفريق ينتهي مع دورك. للإبقاء عليه اطلب من عضو آخر إجراء التغيير.",
  is_member: "صاحب هذا العنوان عضو بالفعل.",
  other_address: "هذه الدعوة لعنوان آخر. سجّل الدخول بالعنوان الذي تلقى الرسالة.",
  person_deleted: "حساب هذا الشخص محذوف. اذكر عضوًا آخر.",
  sign_up_closed: "لا يمكن لأحد التسجيل في هذه الخدمة. اطلب حسابًا من مشغّلها.",
  already_claimed: "لهذا التثبيت مالك بالفعل. سجّل الدخول.",
  has_account: "لهذا العنوان حساب بالفعل. سجّل الدخول به للانضمام إلى الفريق.",
  other_person: "طلب شخص آخر هذا التغيير. سجّل الدخول باسم ذلك الشخص.",
  no_passkey: "ليس لديك مفتاح مرور. أكّد بشيء آخر لديك، مثل رمز.",
  no_factor: "رموز الاسترداد لمن لديه تطبيق مصادقة أو مفتاح مرور. أضف واحدًا أولًا.",
  wrong_sign_in: "العنوان أو كلمة المرور غير صحيحة.",
  wrong_own_password: "كلمة المرور غير صحيحة.",
  wrong_second_factor: "الرمز غير صحيح أو استُخدم من قبل. يعرض تطبيق المصادقة رمزًا جديدًا كل 30 ثانية.",
  refused_passkey: "لم يُقبل مفتاح المرور: إنه غير معروف، أو أُزيل، أو لم يتحقق من الشخص.",
  dead_challenge: "استغرق ذلك وقتًا طويلًا جدًا، أو تم من قبل. ابدأ من جديد.",
  invalid_passkey: "رد المتصفح لمفتاح المرور الجديد غير صالح. حاول مرة أخرى، أو استخدم جهازًا آخر.",

  // Exports and imports
  export_failed: "فشل التصدير. ابدأ تصديرًا جديدًا.",
  job_not_allowed: "حُذف الحساب أو عُطّل، أو لم يعد يُسمح بذلك للشخص أو مفتاح API الذي بدأها.",
  job_given_up: "تعطّل جزء من الخدمة مرارًا. حاول مرة أخرى لاحقًا.",
  job_given_up_undoable: "تعطّل جزء من الخدمة مرارًا. يمكن التراجع عما نُفِّذ حتى ذلك الحين.",
  code_not_drawn: ({ value }) => `لا يمكن رسم رمز QR للرابط ${isolated(value)}. اختر نمطًا آخر.`,
  export_too_large: ({ max }) => `سيزيد حجم الملف على ${isolated(formatSize(max))}. صدّر روابط أقل أو فترة أقصر.`,
  too_many_matches: ({ max }) =>
    `يطابق المرشّح أكثر من ${formatCount(max)} من الروابط، فلم يتغير شيء. ضيّقه، مثلًا بوقت الإنشاء.`,
  export_not_done: "لم يكتمل التصدير بعد.",
  file_is_workbook:
    "الملف مصنّف من Excel أو برنامج مشابه. احفظ الورقة التي فيها الروابط بصيغة CSV (في Excel ‏«CSV UTF-8») وارفعها. مصنّف إحصاءات Short.io لا روابط فيه: صدّر الروابط هناك بصيغة CSV.",
  file_is_archive: "الملف أرشيف ZIP. فك ضغطه، وارفع ملف CSV أو JSON الذي فيه.",
  file_is_compressed: "الملف مضغوط. فك ضغطه، وارفع ملف CSV أو JSON الذي فيه.",
  file_is_pdf:
    "الملف PDF، ولا يمكن قراءة الروابط منه بأمان. صدّر الروابط بصيغة CSV أو JSON من الخدمة القديمة، وارفع ذلك الملف.",
  file_is_web_page:
    "الملف صفحة ويب. صدّر الروابط بصيغة CSV أو JSON من الخدمة القديمة، وارفع ذلك الملف. يمكن حفظ جدول صفحة ويب بصيغة CSV في برنامج جداول.",
  file_not_readable: "الملف ليس بترميز UTF-8 ولا UTF-16. احفظه بترميز UTF-8 (في Excel ‏«CSV UTF-8») وارفعه مرة أخرى.",
  file_not_whole: "لم يصل الملف كاملًا. ارفعه مرة أخرى.",
  file_empty: "الملف فارغ.",
  file_without_links: "لا روابط في الملف.",
  file_of_imported: "استُوردت جميع روابط قائمة الإخفاقات هذه.",
  file_without_header: "يجب أن يسمّي السطر الأول من الملف أعمدته، مثل «\u2066url,slug,title\u2069».",
  file_too_long: ({ max }) => `في الملف أكثر من ${formatCount(max)} من الروابط. قسّمه إلى عدة ملفات.`,
  file_too_wide: ({ max }) => `في الملف أكثر من ${formatCount(max)} من الأعمدة أو الحقول المختلفة.`,
  file_names_too_long: ({ max }) => `أسماء الأعمدة أكبر من ${formatCount(max)} من البايتات.`,
  file_row_too_long: ({ at, max }) =>
    `الصف الذي يبدأ في السطر ${at} أكبر من ${formatCount(max)} من البايتات. ابحث فيه عن علامة اقتباس غير مغلقة.`,
  file_open_quote: ({ at }) => `في الصف الذي يبدأ في السطر ${at} علامة اقتباس غير مغلقة. ربما كان الملف ناقصًا.`,
  file_object_too_long: ({ at, max }) => `الكائن ${at} في الملف أكبر من ${formatCount(max)} من البايتات.`,
  file_object_too_deep: ({ at, max }) => `الكائن ${at} في الملف متداخل بأكثر من ${max} من المستويات.`,
  file_not_json: ({ at }) => `الملف ليس JSON صالحًا. لا يمكن قراءة الكائن ${at} أو ما يليه.`,
  file_json_cut: ({ actual }) => `ينتهي الملف في منتصف JSON؛ الكائنات الكاملة قبل ذلك: ${formatCount(actual)}.`,
  file_of_other_source: ({ value }) =>
    `هذا ليس تصديرًا من ${isolated(value)}. ارفع الملف على أنه من خدمة أخرى، أو دع الخدمة تتعرف عليه.`,
  no_destination_column: "لا يُعرف أي عمود في الملف فيه الوجهات. اختره أولًا.",

  // The console of operators
  screening_off: "الفحص متوقف. يُشغَّل في إعدادات الخدمة.",
  decide_with_reverse: "رُفع الحجب بالفعل. بُتّ في الاعتراض بالطريقة نفسها.",
  takedown_reversed: "رُفع الحجب بالفعل.",
  nothing_to_take_down: "ليس في الرابط شيء من هذا النوع يمكن حجبه.",
};
