import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Denunciar um link curto",
  intro:
    "Avise os responsáveis por este serviço sobre um link curto que prejudica outras pessoas. Não é preciso ter conta.",
  url: "Link curto",
  reason: "Qual é o problema?",
  choose: "Escolha um motivo",
  reasons: {
    phishing: "Ele imita outro site para obter senhas ou dinheiro",
    malware: "Ele distribui programas nocivos",
    spam: "Ele foi enviado como spam",
    child_abuse: "Ele mostra abuso sexual de crianças",
    illegal: "Ele é ilegal por outro motivo",
    other: "Outro problema",
  },
  details: "O que você viu? (opcional)",
  name: "Seu nome (opcional)",
  email: "Seu e-mail, para perguntas (opcional)",
  contact:
    "Só os responsáveis por este serviço veem a sua denúncia. Ela é apagada depois de um ano. Denúncias de abuso de crianças são guardadas sem nome e endereço.",
  goodFaith: "Pelo que sei, esta denúncia é verdadeira e completa.",
  submit: "Enviar denúncia",
  invalid: "A denúncia não foi enviada. Corrija os campos abaixo.",
  errors: {
    missing: "Falta este dado.",
    too_long: "Este texto é longo demais.",
    no_link: "Não há aqui um link curto com este endereço. Copie-o como você o recebeu.",
    no_email: "Isto não é um endereço de e-mail.",
    no_good_faith: "Confirme isto, por favor.",
  },
  failures: {
    rate_limited: "Vieram denúncias demais da sua rede. Nada foi enviado. Tente de novo em {wait}.",
    unavailable: "Não foi possível guardar a denúncia. Envie-a de novo daqui a um minuto.",
    cross_site: "O formulário foi enviado de outra página. Se você quer enviar esta denúncia, envie-a daqui.",
    full: "Há denúncias demais à espera de uma decisão, por isso esta não foi guardada. Tente de novo amanhã.",
    network_full:
      "Já há denúncias da sua rede à espera de uma decisão, por isso esta não foi guardada. Tente de novo amanhã, ou a partir de outra rede.",
    payload_too_large: "O formulário era grande demais. Nada foi enviado.",
  },
  receipt: {
    title: "Sua denúncia",
    keep: "Guarde o endereço desta página. Aqui você verá a decisão.",
    sent: "Denunciado em {date}:",
    open: "Ainda não há uma decisão.",
    dismissed: "Decidido em {date}: o link foi verificado e continua como está.",
    taken_down: "Decidido em {date}: o link foi bloqueado. Obrigado.",
  },
  blocked: {
    title: "Este link já está bloqueado",
    text: "Os visitantes não podem segui-lo. Obrigado pela sua denúncia.",
  },
  enough: {
    title: "Este link já foi denunciado",
    text: "A decisão está pendente. Outra denúncia não é necessária. Obrigado.",
  },
  unknown: {
    title: "Esta denúncia não existe",
    text: "Verifique se o endereço está completo. As denúncias são apagadas um ano depois do envio.",
  },
};
