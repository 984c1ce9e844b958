"""Words that may stand for each other in some sentence: groups of our own making, not exact synonyms."""

from __future__ import annotations

SYNONYMS = [
    frozenset(group.split())
    for line in """
liegt steht befindet | находится расположен стоит лежит | находится расположена | trova situato situata sorge
encuentra ubicado ubicada situado situada | trouve situé située | ligt staat bevindt | leży stoi znajduje
buy purchase acquire | sell sale sold | begin start commence launch | end finish conclude expire
close shut | open unlock | big large huge great | small little tiny | fast quick rapid
car automobile vehicle | doctor physician | child kid minor | teach instruct | help assist aid support
need require | must require mandatory obligatory | allow permit let may | forbid prohibit ban disallow
free complimentary gratis | cost price fee charge | pay paid payment | film movie | job position post
build construct erect | found establish create set | show display exhibit | get receive obtain
keep retain store | fix repair mend | send ship dispatch | give provide supply offer | live reside
die death deceased | begin founded | use utilize | near close nearby | people person visitor guest
staff employee worker | daily day everyday | weekly week | monthly month | annual annually year yearly
hour hourly | cancel terminate | delete remove erase | choose select pick | check verify inspect
answer reply respond | whole entire full complete | wrong incorrect false | right correct true
happy glad | author writer wrote | located situated | many numerous | country nation | city town
road street | st street | st saint | rd road | maximum max most | minimum min least | ca circa | decide vote
approximately about around roughly circa
carry take hold transport | illness disease sickness | medicine drug medication
kill slay | rich wealthy | guarantee warranty | return refund | reimburse repay refund | lose forfeit
late overdue belated | dismiss fire sack discharge | employee worker staff workforce personnel
employ hire recruit | delay postpone defer | abandon scrap cancel | adopt approve accept
reject refuse decline | ask request | tell inform notify advise | report notify
enter access admit admission entry entrance | visitor guest tourist | pupil student | customer client
tenant renter lessee | landlord owner lessor | purchase buy | ticket admission pass
permit license licence authorization authorisation | permission consent approval leave | rule regulation
law statute | fine penalty | deposit down | bicycle bike cycle cyclist | lorry truck | train rail railway
plane aircraft airplane | boat ship vessel | ferry boat | street road lane | garden yard
house home residence dwelling | apartment flat | shop store | restaurant eatery | cafe coffeehouse
hospital clinic | school college | teacher instructor tutor | nurse carer | lawyer attorney solicitor
judge magistrate | policeman police officer | soldier troop | baby infant | kid child | boy lad
parent mother father | couple pair | food meal | dinner supper | lunch midday | snack bite
drink beverage | spectacle glasses | rubbish garbage trash waste | luggage baggage | phone telephone
mobile cellphone | email mail | letter mail | picture image photo photograph | song tune track
book volume title | journal magazine | newspaper paper | map chart | award prize | contest competition
match game fixture | team side squad | coach trainer | victory win triumph | defeat loss
beat defeat overcome | tie draw | goal aim target | choose opt | idea concept | error mistake fault
problem issue trouble | solution answer fix | danger hazard risk peril | safe secure
accident crash collision | damage harm | injure hurt wound | ill sick unwell | cure heal
doctor physician medic | medicine drug medication pill | tablet pill | symptom sign | pain ache
disease illness | birth born | marry wed | burial funeral | raise lift increase | increase rise grow climb
decrease fall drop decline sink shrink | reduce cut lower | expand enlarge extend | shorten cut
begin start open commence | stop cease halt end | continue proceed | finish complete end | happen occur
cause trigger | prevent stop avoid | avoid refrain abstain | allow let | enable permit | demand require
recommend advise suggest encourage | urge encourage | warn caution | promise pledge | agree consent
disagree dispute | deny dispute | claim assert maintain | believe think | guess suppose | know understand
see observe notice | find discover detect | search seek look | examine inspect check | test trial
measure gauge | count number | calculate compute | estimate reckon | compare contrast | select choose
collect gather | hand submit deliver | submit file lodge | send mail post dispatch
own possess | hold contain include | include comprise contain | consist comprise | carry transport convey
bring fetch | throw toss | catch seize | drop fall | push shove | pull drag tow | lift hoist
dig excavate | demolish raze destroy | destroy ruin | repair mend fix restore renovate
renew restore refurbish | clean wash | paint decorate | cook prepare | eat consume | drink consume
sleep rest | wake rise | walk hike stroll | run jog | swim bathe | drive motor | ride cycle | fly flight
travel journey trip voyage tour | arrive reach come | leave depart go | departure leave | arrival arrive
return back | stay remain | wait await | visit tour | meet encounter | gather assemble
join enroll enrol register | register enroll sign | apply application applicant | miss skip | attend visit
speak talk | say state | shout cry | whisper murmur | read peruse | write pen compose author | draw sketch
teach educate | learn study | explain clarify | describe depict | show demonstrate | prove demonstrate
hide conceal | protect guard shield | attack assault | kill murder | steal rob theft | arrest detain
release free | escape flee | follow pursue | lead guide | manage run oversee head | govern rule
elect vote choose | appoint name | resign quit | retire retirement | succeed follow | replace substitute
exchange swap | sell vend | pay settle | owe debt | spend expend | save economize | cost price
cheap inexpensive | expensive costly dear | free gratis | poor needy | big large | huge enormous vast
small little | tall high | wide broad | narrow slim | thick dense | heavy weighty | light lightweight
fast quick rapid swift | slow sluggish | early premature | old ancient aged elderly | new recent modern
young juvenile | hot warm | cold chilly cool | wet damp moist | dry arid | clean tidy | dirty soiled
bright light | dark dim | loud noisy | quiet silent | hard difficult tough | easy simple | strong robust
weak feeble | important significant key | main chief principal primary | whole entire | empty vacant
full complete | certain sure | possible feasible | necessary needed required | usual normal
rare uncommon scarce | strange odd unusual | famous renowned known | popular favored | beautiful lovely
ugly unsightly | happy glad pleased | sad unhappy | angry furious | afraid scared frightened
brave courageous | polite courteous | kind gentle | honest truthful | guilty culpable | near close
far distant | north northern | south southern | east eastern | west western | top peak summit
bottom base foot | edge border margin | center centre middle | front fore | area surface extent
land ground | hill mount | wood forest | lake pond | sea ocean | river stream | beach shore coast
island isle | storm gale tempest | rain rainfall | snow snowfall | fog mist | flood inundation
fire blaze | summer summertime | autumn fall | evening night | noon midday | dawn sunrise | dusk sunset
weekend saturday | quarter quarterly | century hundred | annual yearly | often frequently
always invariably | sometimes occasionally | rarely seldom | nearly almost | exactly precisely
quickly rapidly | together jointly | separately individually | immediately instantly straightaway
eventually finally | below under beneath | above over | beside next | inside within | outside outdoors
outdoor outside | during throughout | because since | although though | despite notwithstanding
waive exempt free | exempt free | pensioner senior retiree | resident inhabitant | citizen national
foreigner alien | adult grown | chairman chairperson chair | boss manager supervisor | deputy vice
secretary clerk | cleaner janitor | keeper warden custodian | guard sentry watchman | engine motor
fuel petrol gasoline | petrol gasoline | battery cell | lamp light | screen display | key button
lift elevator | tap faucet | pavement sidewalk | crossing crosswalk | holiday vacation | curtain blind
torch flashlight | sweet candy | biscuit cookie | jumper sweater | trousers pants | animal pet
long length | wide width broad breadth | high height tall | deep depth | heavy weight weigh | old age
fast speed | seat capacity
dutch netherlands holland | german germany | french france | spanish spain spaniard | italian italy
portuguese portugal | english england | british britain | scottish scotland scot | irish ireland
welsh wales | danish denmark dane | swedish sweden swede | norwegian norway | finnish finland finn
polish poland pole | czech czechia | austrian austria | swiss switzerland | belgian belgium | greek greece
turkish turkey turk | russian russia | ukrainian ukraine | hungarian hungary | romanian romania
bulgarian bulgaria | serbian serbia | croatian croatia | american america usa | canadian canada
mexican mexico | brazilian brazil | argentine argentina argentinian | chilean chile | chinese china
japanese japan | korean korea | indian india | pakistani pakistan | australian australia | egyptian egypt
moroccan morocco | nigerian nigeria | kenyan kenya | iranian iran persian persia | iraqi iraq
israeli israel | thai thailand | vietnamese vietnam | indonesian indonesia | european europe
african africa | asian asia | icelandic iceland | estonian estonia | latvian latvia | lithuanian lithuania
company firm business enterprise corporation | current present today's | premises site location
move relocate transfer | original initial first | decide determine resolve | grant give award approve
good valid | another further additional extra more | final last | extend prolong renew | reserve book
reservation booking | allowed entitled | refund repay reimburse money | lower cut reduce | higher raise
cap ceiling limit maximum | overdue late | remain stay stand | appear show emerge | need require want
wish want desire | try attempt | happen take | give hand | support back help | supply provide deliver
quarter fourth | double twice twofold | triple threefold | single one | couple two
annual year | daily day | guide leader | crew staff | clerk employee | site place | spot place
part portion section | piece part | sort kind type | way manner method | reason cause ground
result outcome effect consequence | begin found | author writer | invent devise create | discover find
publish release issue | record album | perform play | speech talk address | debate discussion
meeting session conference | agreement contract deal | document paper file | form application
signature sign | stamp seal | tax levy duty toll | wage salary pay | job work position post | task duty
skill ability | training course | lesson class | exam examination test | degree diploma | science research
studies research study | experiment trial | method technique procedure | tool instrument device
machine appliance device | computer pc | program software application | version release edition
folder directory | setting option configuration | default standard | error failure
failure fault breakdown | crash fail | remove delete drop | add append insert | save store keep
load open | print output | start launch run | stop quit exit | update upgrade | password passcode
user account | message notice | list table | page sheet | line row | column field | size dimension
length long | volume capacity | speed pace rate | heat warmth | cold chill | power energy
electric electrical electricity | water liquid | glass pane | wood timber | stone rock | metal iron
plant flower | vegetable produce | fruit crop | harvest crop reap | grow cultivate | sow plant
seedling plant | soil earth | animal creature beast | dog hound | cat kitten | horse pony | cow cattle
sheep lamb | bird fowl | fish catch | insect bug | hive colony | tree trunk | leaf foliage | root base
""".strip().splitlines()
    for group in line.split("|")
]
"""Sets of words; a word may be in several."""

PHRASES = {
    tuple(phrase.split()): words.split()
    for row in """
get in: admission admit enter entry entrance access | without paying: free gratis | younger than: under below
older than: over above | take part: participate join | call off: cancel | put off: postpone delay
set up: establish install found | find out: discover learn | carry out: perform conduct
turn down: reject refuse | give up: abandon | hand in: submit | fill in: complete | fill out: complete
throw away: discard | go up: rise increase | go down: fall decrease
pick up: collect | give back: return | bring back: return | right away: immediately
at once: immediately | look after: tend care
""".strip().splitlines()
    for phrase, words in [pair.split(":") for pair in row.split("|")]
}
"""Two words that may stand for one of others."""
