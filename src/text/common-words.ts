/**
 * The commonest English words, most frequent first, counted in public comments. They restore the harmless part of a disguised
 * sentence ("k1ll y0ur53lf", "y o u"), and tell words apart from codes and abbreviations. No other use is made of them.
 */
export const COMMON_WORDS: readonly string[] = `
am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we bit pen coin the and you that for this not are
have with but was your what they can just like all from about there will how name one would people don has get out
more who when know some article think his now their because good been time any should see them please here page only
why other which need then want talk really even also had were being than make too she did much well right way going
her could thanks use very new day him love still does work its where say these got back our many same those into over
off most never first take something after user may someone thank made again before thing find better said help doesn
look didn tell such actually feel sure let edit bad great things hope last years point long own since read life used
though down trump post two another person sorry anything man change best stop while every articles yes always without
nothing today put isn information come happy world yeah mean give little year problem might doing believe keep fact
maybe issue trying ever getting already list both comment done anyone wrong lot using source thought probably left try
place next comments real pretty seems old part makes having free must reason around everyone add money enough under
through against show card state image few far call least understand case home game yet guy making account agree
sources different nice days true saying care else big link won hard until either ask wish white start deletion history
pages section fun kind live support reddit check question looks end discussion deleted government editing women called
instead idea found away however between needs others school times once seen hey everything edits guys car country
whole looking number content news set job rather less removed play night word working guess leave non pay says wait
added welcome personal media matter version god men talking means ago week credit stuff message example block note
high top blocked opinion each haha gonna issues quite watch based fair sub able party course black war wow went
remember cool book fish public american questions policy line full system friends exactly mind text current myself
move almost simply possible sense given hear gets soon lost second remove mother request above family run users
original miss power wouldn group order vandalism wanted subject story date political sounds glad words friend cannot
kids funny editors english head three write city open clearly saw states taking correct clear came video house haven
later rules links site important balls evidence answer hell code phone law america canada report view started
especially perhaps completely continue dude type cause term interesting class happened hours poor heard tax coming
following language side facts took hello twitter tried due info during told thinking single stay human reference
reading literally team created main changed statement past tomorrow definitely children fine whether works future
watching awesome morning vote girl anyway themselves face bill title song consider bank wants whatever movie president
changes oil file community become comes further goes project interest woman okay claim tag internet unless ones taken
joke happen general close likely level enjoy editor company delete mention copyright sometimes false create amazing
suck points style reliable entire website seriously absolutely follow deal adding piece considered half needed written
often research buy common worse finally eat tonight banned include actual several picture response rest fix small food
problems truth mom suggest couple known social business obviously playing feeling turn alone explain calling control
learn music posts hand luck sucks along including similar material wonder test posted related fan outside specific
currently living totally references provide writing certainly gone police speedy error notice months argument child
running review month shows imagine itself asked couldn bot low together appreciate sick images allowed address form
easy worth email rights position google health within dog mentioned except takes thats sleep early games win situation
status thread experience process weird rule although anymore parents bring church send bed sort major hit certain baby
wanna gotta wrote usually crazy nobody serious contributions recent data interested short seeing office longer speak
water template happens chance super reply sign consensus regarding expect himself behind mine cut plan shouldn topic
red knew late giving missing society weekend age supposed reverted million claims gave otherwise none amount names
meant body paid encyclopedia worst difference lead unfortunately act area national four season sound simple politics
worked taxes obama notable context science honestly apparently rate kid hot release asking online involved united
books web contact installation ready basically missed forward available reasons according break figure gas room revert
personally service fake obvious middle action exist relevant religion culture kinda young result faith respect
beautiful local march posting guidelines south special liberal indeed disagree race college search huge attention
complete value lack tired chinese multiple sentence knows looked share recently appears weeks legal behavior warning
majority minutes third large criteria strong countries quote update listed realize doubt details private reality
noticed knowledge summary insurance moment space meaning policies boy force stand china build included spend born
study hold normal light americans allow drama choice character below present views therefore hurt favorite straight
accept star shopping official useful advice pass population total flight safe attacks shall surprised telling color
save fight hour five assume table ways civil forget military spent liberals north terms avoid appropriate hopefully
theory wife perfect lots bunch places feels computer direct pick front failed neutral near waiting eyes step yesterday
aware dollars removing fire starting speech cost definition election travel meet male series cheers lose groups air
proper actions heart discuss income hair record members played truly easily proof sent moved drive meeting necessary
forgot directly provided canadian shut useless limit lives federal mothers access crime decided despite generally
particular standard vacation cute upon published listen plus illegal putting film violence period nonsense british
attempt cat gives university terrible gender mostly international cold jobs background abuse decide score thinks
ridiculous felt across dad thus improve french folks court higher stated russian leaving fail paying copy author
chicken episode earth died religious bet location entry girls clean pull required alaska evil difficult numbers band
worry son lies valid security cases apply fast changing brain final server choose loved fall trust fixed inside return
india creating purpose explanation description mental category somewhere field deserve wing effort busy quality
results town ideas box voice specifically bug pain laws king decision event excited sweet hands friday lie traffic
land previous broken understanding companies helpful checking jesus reported extremely fit photo towards option effect
opinions ignorant entirely ahead separate weather placed expected basic speaking reservation among eating mad players
types statements ignore size edited modern debate christian freedom wars conservative popular various fans russia
somebody earlier mistake brought possibly paper windows appear random moving honest yours highly proposed store female
relationship considering solution library shame willing press turned energy accurate accounts criticism default fear
prove tweet birthday holy trip player cover individual messages sites afraid wondering net events campaign neither
increase rich watched laugh troll beyond via properly art dinner father horrible confused logic double program
addition brother rock blame count dear carry nation summer road showing building fired pictures drop zero market
republicans submission sun trade april paragraph monday israel key confirm somehow excuse closed exact conflict till
hoping met focus member stuck trouble mail checked students respond thoughts happening green democrats fully
reasonable immediately blue regards beat bottom waste negative education dispute spending average park foreign eye
republican board arguments extra economy angry agreed medical street germany walk deep wall stick quick admit existing
movement tests proud protect lower europe property citizens accepted characters nature mass received west files
finished likes blog silly significant listening conspiracy base application keeping mess automatically released tires
awful kept positive anonymous offer agenda replace contributing width broke german club curious ability regardless log
cry wonderful dark biggest visit ran propaganda examples yep prefer archive independent global century easier
standards benefits historical sitting forever doctor justice voted violation california peace organization mark
sourced concerned former loves throw lying exists latest conversation minor blood practice blocking keeps caused
citation driving lines industry refer movies boys quickly cited upset biased external anywhere core incorrect
everybody nearly finding linked active master border bush object pizza stopped criminal function coffee calls lets
parts western responsible steps plenty besides album east scientific feelings join calendar knowing minimum january
cite degree concept named charge balance supporting uploaded cake lucky helps argue videos catch development bought
fault held gold loss dogs fellow price thousands ice anybody natural mode hurts cities product union weren goal
explaining require sadly attitude massive described primary flag track roll particularly bored grow risk solid benefit
economic switch native input contribute nope fighting twice indian financial connection license eventually touch jump
costs schedule august supported football alternative tags sell weight became describe feature trans mouth learned slow
daily removal behaviour method huh bus london referring shown manual sharing annoying ended channel services
suggestion administrator liked helping role limited impossible matters reminder fool millions schools central
additional acceptable caught door smart surely beginning citations yea insane gotten push voting concern homeland
drink sunday defense skin handle conservatives match forced receive professional san elected catholic software animals
sit minute photos cheese ground suppose sides click approach repeat produce merely hilarious dangerous defend basis
concerns capital lady expensive career offensive center battle reports japanese serve indicate seemed workers congress
lived holiday drug begin model rice package screen whose secret birth billion atheist constantly helped breaking ten
studies raise stories machine heads supporters target lunch dream ball married acting brown resources math passed wont
cares opposite existence irrelevant mate wear losing prevent sister australia scene bar train recommend pushing bother
army built canadians merge starts strange physical cars chicago votes rain jokes potential european led spanish greek
round remain leader settings administrators crying excellent usual climate raised woke scared lovely boring compared
assuming damage environment administration chase lists becoming parties options includes reaction followed mexico
areas range spell command rationale requests odd victim pure minority cultural equal notes suspect permission smile
alive bigger congrats drunk healthcare insult covered contest decent older restaurant identity investigation surprise
perfectly tool failure individuals correctly fund alright humans requires fill voters discussed december readers
wearing turns treat sold nuclear design spam immigration network intended instance animal politicians reporting
controversial tagged sections healthy hospital victims owner student opportunity judge crimes hundreds volume
suggested quit regular setting updated realized absolute violent onto extreme fairly suggestions cancer learning
somewhat claimed coverage format activity threads typical forum league prison successful threat mobile abortion plans
apart letter critical express reviews items cops finish pointing cash democratic budget prior success updates
intelligence islam ride dare chat saved innocent ignored claiming index constitution toxic hide cross ignorance split
phrase familiar sending pop tells authority weak famous influence appreciated legitimate worried followers songs
wanting decades load repeatedly february documentation everywhere hearing daughter interview showed progress tone
corrupt detail protected projects noted wake lazy bag treatment planet staff hotel buddy slightly candidate prime
liar shop asian england speed pressure debt elsewhere inappropriate beer fly treated six democracy identify unable
france explained inclusion saturday cats empty platform perspective careful homeless becomes signed confirmed remind
task republic cancel tend friendly button reach families corporate proven impact spelling department japan replaced
protection previously hero lord standing hardly discussing pride skills sports rude generation metal african whom
academic anyways heading milk values october scary husband seconds shots complex analysis county languages
contribution disruptive profile winning rates miles wide rent washington established programs guide importance feet
contain november letting sake dealing justify apologize interests spread destroy greater belong flip quotes manner
newspaper barely tough marriage memory immigrants moral systems providing approved align island defined errors
warnings foot favor associated tutorial adult teacher holding levels performance accused categories mud reminds ending
radio beliefs upload presented reader foundation warring fell whenever cleaning teach guilty label responsibility
lately communist growing complain bear tree fuel discussions walking opening salt opposed referenced proposal
requesting laughing conclusion persons minister memes yup responses trolling managed wild causes essentially
harassment africa korea leaders region gross window chose experienced station nations writer alarm featured branch
creation preceding loving dance censorship exception efforts factual templates dropped jerk overall continues script
fantastic depends spot dirty attacked draw stolen
`
  .trim()
  .split(/\s+/);
