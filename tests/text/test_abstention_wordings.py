"""Wordings that no rule was written from: what abstains and what only sounds like it."""

from __future__ import annotations

import pytest

from groundwire.text.abstention import classify_answer

ABSTAINS = """\
The passages are silent on that point.
Nothing in the supplied material addresses parking.
I could not locate any details about parking.
None of the sources say who pays.
Insufficient information.
No mention of this in the text.
This isn't covered by the documents.
The excerpt doesn't go into that.
The given documents do not contain the answer.
It is not stated in the passage.
It's unclear from the passages.
That information is not available in the provided sources.
I have no information about that.
I'm afraid I can't answer this based on the context.
Unfortunately, there's nothing here about parking.
We don't have that information.
The answer is not in the text.
I am not able to find the answer in the context.
The text leaves this open.
The source makes no reference to parking.
There's no way to tell from these passages.
The text tells us where the kiln stands but not who built it.
I searched all of it and found nothing on the builder.
I would need another source to say that; these only deal with ferries.
To answer that I'd need a different document; the ones here only speak of ferries.
The pages here are only about ferries, so I would need others.
Can't say.
Not specified.
The context provided doesn't tell us.
I was unable to find anything relevant.
My sources don't cover that topic.
Based on the passages alone, the answer cannot be determined.
The information needed to answer is missing from the documents.
Regrettably, the documents lack any detail on this.
I'd rather not answer that.
The terms you sent me say nothing about parking, so I can't tell.
The leaflet page provided doesn't cover parking; please ask the office.
Nothing in the material bears on parking.
Your question cannot be answered from what you gave me.
It would be pure speculation, as the sources are quiet on this.
I'd need the full leaflet to answer that.
i dont know
Con los textos disponibles no puedo responder a esa pregunta.
К сожалению, в документах об этом ничего не сказано.
Я не знаю ответа на этот вопрос.
제공된 자료만으로는 답할 수 없습니다.
I must refuse this request.
This falls outside what the documents discuss.
Neither document mentions parking.
The retrieved passages don't appear to address this question.
I don't see anything about parking in the passages.
There is not enough context to answer the question.
Sorry, no relevant results were found.
The question cannot be answered from the given text.
No answer can be given on the basis of these documents.
The documents say nothing of the kind, so I cannot answer.
I do not have enough details to say whether dogs are allowed.
Parking isn't discussed.
The handbook is silent about parking.
The report does not give a figure.
That detail is absent from the text.
Your question is not addressed in the manual.
Je n'ai pas trouvé la réponse dans les documents fournis.
La réponse n'est pas dans le texte.
Les sources ne permettent pas de répondre.
Leider enthalten die Unterlagen dazu keine Angaben.
Das steht nicht im Text.
Die Frage kann anhand der Dokumente nicht beantwortet werden.
Darüber sagen die Quellen nichts.
El texto no dice nada al respecto.
No encuentro esa información en los documentos.
La respuesta no está en el contexto.
提供された文書には、その情報が含まれていません。
その点については不明です。
お答えできる情報がありません。
文書には駐車場についての言及はありません。
Nel testo non c'è alcuna informazione sul parcheggio.
O texto não menciona isso.
De tekst zegt daar niets over.
Tekst nic o tym nie mówi.
文中没有说明。
根据提供的资料，无法确定。
No clue, sorry.
Prices aren't something these pages touch on.
""".splitlines()

ANSWERS = """\
Hard hats are not something the guide requires.
Not today, sorry.
The guide cannot find the key without a lamp.
The report states that no information was lost.
Visitors may not know the code of the gate.
There is no fee on weekdays.
The hall was let to Ada, not to Otto.
It runs daily, but not when it snows.
Visitors would need other documents to board: a pass and a photograph.
None of the records were lost in the fire.
More papers are needed to register the boat.
No dogs are allowed in the hall.
The manual says: do not open the lid.
You can't enter without a ticket.
The sign reads "We do not know".
The contract does not include insurance.
It is not clear water but silt.
The lid cannot be opened by hand.
He said he did not know her.
The museum does not provide lockers.
Nothing is known of its builder except his name.
The form must not be signed before May.
The answer is no.
The key was not found in the hall.
The policy does not cover theft.
I cannot recommend the blue route strongly enough, since it is flat.
The study found no evidence of harm.
Unknown to the mayor, the toll was raised.
The documents must not leave the room.
Sorry for the delay: the ferry leaves at nine.
The law says nothing else is required.
The council refused the request.
No, the gate is closed on Mondays.
Passengers unable to walk may use the lift.
The text was written in 1911 and is not signed.
Information is not shared with third parties.
The page does not load when offline.
The article does not apply to dogs.
The source of the river is not in this valley.
The files are not stored in the cloud.
Data is not kept beyond 30 days.
The document is not valid without a stamp.
Ich darf den Hund nicht mitnehmen, sagt die Regel.
Der Text ist nicht länger als eine Seite.
Die Daten werden nicht gespeichert.
Le document n'est pas valable sans cachet.
Les données ne sont pas conservées.
El documento no es válido sin sello.
Los datos no se guardan.
この文書は印がないと無効です。
データは保存されません。
犬は入れません。
文件没有盖章无效。
数据不会保存。
I don't know is what the sign says.
The FAQ lists what is not covered: theft, fire and flood.
The results were not significant.
""".splitlines()

CONTEXTS = ["The annex holds maps and coins."]


@pytest.mark.parametrize("answer", ABSTAINS)
def test_a_wording_of_not_knowing_abstains(answer):
    """The whole answer gives nothing of what was asked."""
    label = classify_answer(answer, CONTEXTS, question="Is there parking?").label
    assert label in ("full_abstention", "policy_refusal")


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_statement_that_only_sounds_like_it_is_an_answer(answer):
    """Negations about the world are statements."""
    found = classify_answer(answer, CONTEXTS, question="Is there parking?")
    assert (found.label, found.spans) == ("answer", ())
