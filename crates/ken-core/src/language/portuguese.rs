//! The words of Portuguese, by which dates are understood.

use super::lexicon::Lexicon;
use crate::orders::cues::{
    ADD, ALL, AUTHORITY, BYPASS, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, Orders, PERSON,
    PRIOR, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN, VITAL,
    VOID, YOU,
};
use crate::when::phrase::Says::{Ago, Ahead, At, Op};
use crate::when::phrase::Unit::{Day, Week, Weekend, Year};
use crate::when::phrase::{Dates, Op as O, Unit};

/// Portuguese.
pub(super) const PORTUGUESE: Lexicon = Lexicon {
    name: "portuguese",
    dates: Dates {
        months: "janeiro | fevereiro | março | abril | ~maio | junho | julho | ~agosto | setembro | outubro | novembro \
        | dezembro",
        weak_months: "2 fev",
        weekdays: "segunda-feira | terça-feira | quarta-feira | quinta-feira | sexta-feira | ~sábado | ~domingo",
        units: &[
            (Day, "dia | dias"),
            (Week, "semana | semanas"),
            (Weekend, "fim de semana"),
            (Unit::Month, "mês | meses"),
            (Year, "ano | anos"),
        ],
        numbers: "1 um/uma | 2 dois/duas | 3 três",
        behind_noun: &[(-1, "passado | passada"), (1, "que vem")],
        phrases: &[
            (At(Day, -2), "anteontem"),
            (At(Day, -1), "ontem"),
            (At(Day, 0), "hoje"),
            (At(Day, 1), "amanhã"),
            (Ago, "há {n} {unit}"),
            (Op(O::In), "em | no | na"),
            (Op(O::Until), "até"),
            (Op(O::After), "depois de"),
        ],
        guesses: &[(Ahead, "em {n} {unit}")],
        accented: "março",
        ..Dates::NONE
    },
    orders: Orders {
        words: &[
            (YOU, "deves podes voce voces teu"),
            (READER, "ia agente agentes assistente* modelo"),
            (MODAL, "devem deve"),
            (TOLD, "instrucao instrucoes diretriz* regras"),
            (HIDDEN, "ocult*"),
            (IGNORE, "esquec* desconsider*"),
            (PRIOR, "anterior* antes"),
            (ALL, "todas todos cada toda todo"),
            (SAID, "disseram dito"),
            (SEND, "cole colar"),
            (RUN, "inicie iniciar rode"),
            (FETCH, "baix*"),
            (INSTALL, "instal*"),
            (ADD, "adicion* aceit*"),
            (DELETE, "apag* remov* desativ*"),
            (REVEAL, "comec*"),
            (HIDE, "ocultar escond*"),
            (TELL, "diga"),
            (TURN, "troqu* troca* aprov*"),
            (SECRET, "chave chaves credenciais senha*"),
            (ROOT, "administrador* permissoes"),
            (PUBLIC, "compartilhado"),
            (SCRIPT, "pacote*"),
            (SESSION, "sessoes sessao responder resposta"),
            (AUTHORITY, "diretoria seguranca"),
            (IF, "quando assim"),
            (PERSON, "usuario* alguem revisor"),
            (VITAL, "diário"),
            (GRANTED, "concedida"),
        ],
        phrases: &[
            (VOID, "ja nao se aplicam|nao se aplicam mais|nao e mais"),
            (BYPASS, "sem perguntar|sem confirm|force o push"),
            (SILENT, "em silencio"),
            (SECRET, "variaveis de ambiente"),
            (AUTHORITY, "equipe de seguranca"),
            (VITAL, "banco de dados"),
            (GRANTED, "estao desligadas|estao anulados"),
        ],
        before_verbs: "agora depois nao não",
        and: "depois",
        not: "nao",
        ..Orders::NONE
    },
    ..Lexicon::NONE
};
