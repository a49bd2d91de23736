/**
 * The next ten thousand English words of four letters and more after COMMON_WORDS, most frequent first, counted in the same public
 * comments; words of which most uses were toxic are left out. They tell what a word with one letter masked or doubled was.
 */
export const LESS_COMMON_WORDS: readonly string[] = `
wikipedia http seem https wiki dont anti self admin redirect contribs john notability david july sandbox deleting
reverting vandalize admins transfer cant september npov thursday bias june uses username tildes wikiproject york paul
unblock tuesday george wikipedian pillars payment sock exchange charged wednesday meets verifiable christians unsigned
verify requested speedily wording james chris nomination michael frank topics introduction nominated didnt stating
accusations vandal unsourced concert infobox experiment youtube biographies clinton shared hence guideline tickets
usage hesitate controversy citing insert websites numerous reached encyclopedic justin pointed expert uploading
reviewed strongly bold pending constructive regard refers declined oppose wikipedians refrain referred improving
promote subjects mainstream award stands continued clicking originally reflect belongs apple throughout misleading
suggesting reverts threats wishes facebook deserves iran concerning furthermore aside participate secondary semi
magazine advertising frequently plain dates restored additions shortly applied addressed mentions grade stage helpme
attempts biography sufficient ethnic resolution doesnt mentioning islamic stub attacking clarify appeared remains
contrary mistakes leading origin titles warned sockpuppet contains unlike confusing recognize provides sentences
widely supports contents located necessarily began ancient logged blocks greatest agreement latter arguing consistent
visa peer reasoning attempting reads tagging transaction understood naming cards commons smith incident whoever
barnstar detailed amazon criterion listing figures hits apologies confusion quoted bringing bands develop propose
represent christmas jack expand belief objective experimenting merged repeated blatant applies delay compromise
commercial unnecessary seek village counter involvement copied intention logical disputed ends entitled advance irish
vandalizing item translation milan direction determine responded herself restore interpretation carefully records
normally mainly disambiguation whats improved forces civility contributors acts brief southern refuse theories
significance length recall maintain larger suggests filled challenge verified racial verifiability harm document
empire corrected defending plot grand compare deny violate charges talks impression structure isnt equally unblocked
blank improvement demand kingdom frankly worthy officially clue ensure feedback engage complaint seven ireland
explains draft planned nationalist spirit northern believes assert responding mike entries leads ignoring awards
informed congratulations domain robert promise largest technically neutrality selling nowhere heavy appeal stone
intent texas association explicitly insulting eastern intelligent grammar committed versions arbcom tour artist
opposition copyrighted gain differences classic disputes userpage contributor johnson accusing wales resolve attempted
destroyed committee chief whatsoever assistance activities encourage funds virtual credible evening allowing existed
developed authors summaries follows royal largely runs possibility ought rise designed specified accuse badly blind
diff taylor allows desk literature conduct journal suitable jackson technical nasty comparison registered christ
inform puppet linking violating scott replied prince toward altered planning tony closer italian inaccurate expanded
peoples training resolved protest council proves talkpage cast wise purposes jason vast collection enter desire tools
pretend antifa episodes positions revision offended talked highest believed peter offered appearance beach steve
publication decisions contributed unique queen wasting poorly rejected aspects powers iron roman violations edition
alleged harry announced apology teams supremacist answers owned undo intro dictionary remarks technology sourcing
fails initial unclear closely rewrite display organizations whereas amendment kindly television bible films forms
chosen allegations arbitration documents threatening william answered instructions decline signature grounds promoting
define produced israeli archives richard lacking britain soviet papers opened polish elections apparent formal locked
effective turning alot directed paste assertion fighters ocean figured unlikely documented poll advise invited cheap
arms recognized commentary implies laid effects pics redirects scale pointless bothered objections mixed continuing
production ongoing martin forth powerful substantial accusation valuable australian hates kendrick ryan fraud picked
pieces qualify abusive unfair universe sincerely river rare throwing clarification professor editorial moves
discovered fashion scholars flying sales kinds commonly credibility engaged purchase served mere promotion perform
nationalism turkey granted holder charles determined constant fringe suddenly extent socialist passing towns
politically justified ticket matches complaining anon candidates undue cream print imply justification orange accuracy
coupled enemy flat assumed stars convinced unacceptable fixing christianity equivalent buying smaller circumstances
insist isis invite boss brand soul democrat absurd arab withdrawal recorded shirt strike girlfriend species dedicated
paris establish calm tries hall reputation labor plays trial conference tips incredibly relatively speaks greatly
scientists magic paragraphs unknown products kidding insults statistics aspect host covers commented describing brings
puts italy identified trolls currency indicates pope conditions uncivil joined mission traditional vandals refused
moon solve acknowledge square harder reduce experts latin wikimedia gang tiny moreover ship taught speculation
violated vague deliberately constitutes turkish murray supreme crowd controlled consideration saudi philosophy
preferred secondly balanced offense objection intend lock mediation rarely mistaken logo picking messed hidden
features causing advantage district heavily suit territory marked ideology safety addresses denied factor iraq minded
founded returned taste presence sees evolution assault dating sept relation reviewing unreliable principle productive
horse director merit rolling lawyer operation admitted auto submit introduced promotional judgement educated satisfy
supremacists fourth accident mods radical heck refs ring vandalized stalking afford asia heat focused distinction
jimbo bless prepared teaching adds closing emotional remaining thomas brothers crisis florida realise additionally
minds testing protecting bully freely camp privilege proved hiding typically spoken falls submitted primarily heritage
ownership tweets fresh division celebrate grateful sale management behalf fantasy respected physics pakistan
formatting pulled golden backed honor refund achieve victory thousand twilight childish ladies profit ordered goals
saving narrative materials cena meat everyday petty violates engine stock sorts connected questionable warn seeking
writes afternoon quoting enjoyed meanwhile brilliant occurred creator arrested medicine coach describes personality
requirements coast convince commenting prose swear censor precisely kanye artists limits thrown specify subreddit
watchlist publications hill methods intellectual completed suffer citizen trivia relations dollar portal genre poster
soldiers edge variety drinking broad exposed purely meaningless critics render sarah receiving forgotten banning
disease expressed presidential consequences historians unit internal formed genuine pattern leadership classes signs
shape register arrived capable funding inserted cell wright festival assessment dubious column informative supply lied
meme teen represents silence centre ages creative threatened harassing supremacy legally aggressive chapter publicly
demonstrate eric floor serving nose youth similarly criticisms camera loud quiet newspapers measure writers partisan
assumption outcome enforcement whilst politician complaints disruption iphone problematic fiction harper airport jones
officer verification unrelated utterly annual jimmy madrid gfdl syria sport replacement feed expansion reasonably
hawaii relevance bridge anniversary owners invented toronto walker unconstructive enemies assist typing nominate
noticeboard vehicle arabia integrity titled fees hundred slowly independence governments senate perry permanent essay
procedure potentially principles hoax combined historic favour path elements hindu trivial competition charlie
contract superior route disposable represented naruto disappointed complicated introduce publish revolution holds
vertical albums greetings younger failing contained openly giant depth stats redundant plane jealous steal serves
subjective chart rewritten scholarly finds abusing conclusions polite referencing download wind falling prominent
ultimate dealt dislike pretending progressive communication bernie streets destruction selected lesson faster
supposedly presumably argued qualified declared extensive audio worldwide newcomers seth addressing mexican dozen
corner resource cleanup swift affect indicated solely intentions welfare employees differently dated scope hollywood
carried staying eight communities germans portion fought filed adopted regarded novel administrative liberty
representative revealed korean regularly ultimately spoke signing condition garden cult convention boyfriend
meaningful grown theme significantly reputable cites expression flow dress audience threaten founder utter occur
accordingly correction nick joining counts kicked notion effectively winter raising origins virtually smoke forgive
breaks opposing viewpoint allah rush spin humor authorities viewed conventions shawn alex spain requirement stance
headline males improvements translate baseball commit capacity refugees terror nationalists pray incredible outright
dropping returns musical notification amounts emphasis duty notices nicki translated province suffering pushed sided
denial bullying specifies warm withdraw manage proving ashamed rick publisher speaker brock rubbish searching settled
theres arts maps extended dems archived directory entered loose situations initially ourselves naturally kevin winner
thin sets involving historian worries cook punishment parent deeply beating depending finger reduced substantially
deals distance strategy adults retired centuries circle louis universal growth stable hunt enjoying percent genuinely
headed earned actively driven accurately rational cube pleasure asap regret seat suspected survive construction punk
sole sockpuppetry texts expecting amongst cancelled gucci rally upper nationality joseph deletions publishing sooner
printed exercise sing virgin deposit practices entertainment pool handed greece abused challenged vice organized sight
forums disney strength slavery gift tons meantime matt pump agrees tactics dallas delivered replies subsequent
currencies increased poland deaths remark championship crash sometime inspired advocate definitions aircraft bieber
scholar facilitate guessing parade anger danger dozens wave motivated relative officials cruz hook destroying rely
relating bodies explanations misunderstanding plant iranian sharknado hungry tech legit issued frame unfortunate pair
brady implying ruled senior bowl mood bang wizard organisation warrant selecting dustin sleeping survey ruin grew
decade borders corruption zone manager ties placing chelsea merging kane boston actor replying height exclusive rant
fundamental epic obscure promoted nirvana begins partner choices wasnt convert advanced arrest fields myth armed
fingers snow attend ethnicity permitted increasing tradition tables permanently speakers mayor yoga legs bell clothes
comfortable visible redirected trick russians humanity accordance andrew rollins warming bills prices teachers reverse
yellow recognition disaster historically correcting daniel jersey burning bite updating officers communicate
demonstrated puppetry rose attached defeat orders discover legend affected invasion eagles copyrights prize dave
netflix spelled checks believing lights passage daddy spring pink halloween alert wishing captain ruined socialism
supporter guilt ironic lake bits wealth races goodbye engaging dutch prod constitute immediate agent relationships
conflicts storm tied blatantly indication stays accidentally grab stream preference approval comparing spreading
celebrity multi surprising concepts pregnant sanders reveal conform heaven nevertheless deserved diversity overview
ontario conformance mirror impressed monster vegas comedy strictly xbox governor dishonest scotland dunno consistently
bright desperate driver awkward patience minorities drawn factually genetic rating globe vandalising confidence
denying mountain obtained temporary fictional confirmation troops judgment participation genius mary sensitive launch
patient encouraged assure grant singing replacing reject regime journalist clearer marks burden wolf apologise solved
endless cycle sexually judging contrast georgia disagreement covering acknowledged studying adam beta indefinitely
faced comic doctors footnote intentionally recommended lede uncle comprehensive arrive unusual stress displayed
instances substance perceived guidance lesnar involve answering proceed bizarre ohio root encyclopaedia zayn marketing
stadium owns presents acted exclusively identical representation courts guard socks entity bryant blanking hint crack
studio repeating modified scheme flags rousey harsh ruling banner williams museum evans hopes nights hostile
transferred physically obsessed colour wine contacted attributed symbol handled institute anytime employee sensible
occasionally observation eliminate cease thor offering regional palestinian kris essential breakfast reversion polls
presidency narrow renamed cleaned spamming favourite thru factors performed alter playlist faces relate kelly souls
hulk gandhi oregon niall oops hockey persian rhetoric champion parliament corrections proposing dunkin absence
establishment alternate stood quotation sockpuppets pack afghanistan importantly accepting countless disagrees josh
fame singer curtis contentious reviewer gods neck wedding device uber releases havent expires executive degrees units
hitting convicted censored merits emails untrue font occupation surrounding licensed wrestling contemporary chances
peaceful wasted avoided stopping altogether kings operating equality header brian offers advised bullet domestic
hunter maintenance caption slave clever pulling jordan documentary experiences objects punished distinct economics
deemed colors jeff inline contested sheeran interviews communism firm lacks unbiased urge scientist dancing
restrictions enforce struggle performing galaxy guest diffs behave lonely chill teeth visited questioning religions
creates seperate shorter tiger agency confuse guarantee shocked ukraine persistent overwhelming harass achieved
database clueless reform meetings precise licensing arsenal needing versus stayed labeled discrimination senator
valley scheduled devil marry census refuses anime stronger thoroughly appointed buildings ratings trumps aldean breath
silent screaming grasp forcing govt potter intervention tune settle bird depression embarrassing percentage arabs
immature bound stephen ipod farm educational islands glass indians asks evident courtesy excessive witch navy shift
homes crew ordinary dunne delivery rough validity severe promotes nine presenting tank reaching hire affairs declare
applicable divided falsely irony ethics derived terminology batman expertise cellpadding escape privacy alcohol
selection excuses woods passes consent transactions descriptions noting therapy karma carrying models involves imho
boxes rail credits digital dreams gained talent appearing overly surface europeans likewise slaves muhammad phrases
injury rename dropdown strict cheating beauty businesses frustrated legacy participants briefly nicely weasel copyvio
payments chuck pity reflects unaware spite engineering pursue brazil wash praise scandal inserting andy erase blogs
undoing ideal exciting knock frustrating corporations shoes lgbt actors soccer maiden hogan labour jenner earn shower
chocolate continually swedish fascism conducted expanding factory cultures stealing elaborate naive counting vandalise
pleased soft weekly session sweden gifford biographical visiting investigate disturbing returning motives quarter
confident lyrics worship developing comply arbitrary angeles padding carbon checkuser membership laughed dialogue
savings journalism straw generic defence reserve housing trained coincidence residents incidents treating
misinformation academy seasons upcoming merkel regions palin copies combination posters resistance amusing beings
classical employed proxy adminship avoiding gary seattle remained resulted goodness hindus combat ghost assertions
flawed kasich miami floyd meal locations practical reception computers illness adopt electric legislation bitter gaga
mccartney satisfied commission mentality firstly reliability billions consistency connections mastercard phase horror
gaming tongue element volunteer nonetheless incorrectly drivers golf namely attracted impressive backing
constitutional restoring collect invitation theatre modify studied urban operations houses bots disabled participating
elite folk greeks revisions applying reminded truck smoking seemingly alternatives gather churches boat saint blaming
arabic phenomenon poverty attorney roots downtown wherever listened bigotry qualifies ambiguous observed motivation
citizenship ancestors vision haram squad serbian deciding explicit duplicate allies generations rome denver houston
fancy promised basketball myspace stole successfully holidays perception drag estate serial incidentally influenced
popularity microsoft defining jurassic layout customer chain cousin nowadays toilet clarified homework disorder
communists sigh copying confirms parenthood unreferenced shock choosing universities biology inherently debates
reporter unreasonable davis egypt bike campus traveling triple henry lands incomplete institutions suspicious brave
surgery junk chair privileges burned monitor thorough elect journalists francis boko merger synthesis ears pound
guitar divorce typo stations jumping exceptions seats broadcast paint impose princess bears difficulty facing rising
wage syndrome lawyers educate rahul renaming duck collaboration libel cooperation roads approve timeline refusing
lawsuit uncomfortable capitalism judges hunting turks yakub rank isbn spare fights stops bare sudden debit transfers
ping trend sexuality harmful wives journals interpreted opponents illustrate advertisement temple threw scenario
remotely awhile outline solo sympathy trailer revenge semitic awarded skip liking charts tears wisdom resort
afterwards sticking soldier analogy alien penalty foul forest francisco joking silver singles connect carly revised
attract considers laughable reconsider participated orthodox recording respective attribution aids slight precious
presentation wwii widespread homosexuality fundamentally vietnam pseudo duke distinguish michelle diet salary
questioned insight everytime nintendo knee trusted joint kitchen casual interaction prejudice virginia scare discusses
wider sought cole reservations gallery caitlyn lift stores twenty zealand obtain malicious trees retirement funded
catholics blast containing fewer activists insulted messing transparent babe mins begun backwards secure amateur
drawing criticize pacific biological complained comics sufficiently lifetime sand assumptions simplified arrogance
taxpayers occupied lane tall touched partly newly literal devoted conclude activist temporarily tracks anderson
browser wouldnt scam quotations descent lengthy implied civilization lastly bogus unbelievable subs painting bothering
walked psychology presume misunderstood tournament expressing preview classified crossed oxford nominations detroit
happiness notified theirs priority partial holes suspended motion concrete understandable trigger dictator darn worded
prepare outrageous attended institution closest introducing accomplished dynamic measures invalid launched photograph
representing incivility footnotes asleep hack conversations guardian alliance dynasty incorporated hebrew macedonia
randy mystery expired arent sugar roger torture sons tends extend colorado alternatively collapse hebdo armenian
differ anthony painful doors logging resident clarity investment frustration bearing revenue targeted moderate tower
strikes bugs counted highlight agreeing viewpoints writings serbia stubs suffered awareness roughly chemical
identifying fiorina announcement trek someday portions reversed evidently occasions anxiety junior ironically khan
edward puppets defines fred considerable emergency sarcasm lesser entering loaded extremist magazines outrage cuts
codes intentional maintained inconsistent bobby sean deliberate alan authoritative ford scored pounds banks scores
secretary ipad rewards outlets mature concise increasingly zionist beast pasted accomplish preserve hypothesis
affiliated password sony goodnight hurry caring memories hehe generated jumped drives indicating offend pays struck
protests beef syrian tolerated alpha noteworthy disrupt grave rocks howard cable cruise port maintaining unsure
damaged fraudulent notify practically bans movements twisted rated tolerate nightmare scratch equipment inclined lamar
civilians gear recognised allegation dean lifted convincing credited cartoon disappeared stretch delhi sisters handful
crush discovery censoring processes angle solutions ancestry moore remembered sorted anyhow debating nervous bottle
expense graduate tribe encouraging bent aimed twist collective beats hired grey sanctions markets pitch tribes
michigan temperature airlines controversies rollback katy reversions cleared inner roles bruce ruining approximately
subtle resulting palestine grace boot lowest newsletter dismissed demonstrates researched erased catching bathroom
ours caps select react focusing selective convenient modi defeated digging knowledgeable immigrant austin researchers
mayweather alexander journey birds blown honey habit emailed wondered neighborhood murders pets demanding riding odds
disregard fairness outdated disagreed ranking precedent barack venue cellspacing operate appointment punish premier
midnight clock honesty moments accent locate customers daughters formula cure meta annoyed buried battles sting
alabama clubs libertarian solar implement environmental restricted bowie vancouver disagreements interpretations
realised converted tight maximum automatic hood destructive mile contradict demands expose distribution regulations
riot academics etiquette kerry miley reward flash theater blah corporation patients expire occurs functions incapable
autism drew advocating allegedly representatives circles plants offence proposals announce carolina fallen loads
conversion virtue cruel camps beaten witness crystal succeed undid rumors hamilton loses masters reset plate delicious
beside cheat relates accessible emotions buddies mechanism partially interpret blair tweeting observations fighter
adequate cabal debut borrowed unfounded pertinent charity weigh substitute presidents oldest tumblr repost fathers
injured vehicles survived cherry acceptance compete wholly strip erroneous urgent sarcastic mini agents wrongly
crucial preferences lifestyle assembly summarize viewing wealthy doubts elizabeth concluded harvard merry relax
lecture promises comfort relatives noise understands wheel rage heroes harassed extension exclude appropriately
associate subsequently kurt photographs spencer imdb laptop scream headache olympics paranoid abroad singapore bond
sincere vandalised knight wood deeper sessions industrial caution sample wilson ranked opens crown searched arguably
retain judaism increases cameron ministry scholarship battery blanked hurting instant mall purchased electronic
cabinet infinite hispanic actress territories removes manchester candy unhelpful madonna awake drops entertaining
unhappy bags tape bday styles filling spectrum defensive labels procedures jonathan examine automated nickname sydney
angela nationalistic briana guaranteed apartment imposed exam worlds blessed employer albeit sentiment beneficial
technique dragon underlying tory parallel communications visual compliance hearts stranger struggling fifth plug
eliminated hominem discredit righteous contacting feeding cents flair emperor brutal misguided histories agencies
encountered hurricane syntax happily contention belt reflected tolerance bubble timer characteristics findings marxist
meanings damaging giants hype subsection lewis implemented janet tribute routing infoboxes recognise keen eggs thick
fascinating skill secular rescue consists broader tragedy discouraged worthwhile abide voter disrespectful obsession
mercy controls smarter irrational indefinite undone jerusalem kosovo mainpagebg bucks sunny activate walmart cared
santa desperately frequent kicking keyboard newer servers volunteers minimal misuse biden danny periods beyonce soap
opponent criticized targets highway semitism palestinians diego albanian walls affair formally appealing divide hammer
treaty geography linguistic collaborative kpop depressed bread unblocking theft switched breed screenshot testimony
fate endorse founding baseless cricket lincoln illegally researching whisper programming stamp atlantic ukrainian
luggage userspace nokia hardcore swing yahoo waited phil appeals rural pardon franchise recipe wells espn moto
nominating dana timezone britannica untagged gossip marine smear implications query voices hobby indigenous ships
reign donate retire mario scottish classification beatles stalker macedonian formerly phones webpage clip smash
paycheck emotionally terribly boundaries portuguese protesting robot producing disappointing explore memorial
formatted discography cookies visitors deliver steam machines traditions occasion initiated tendency tested discourse
politely motive contradiction contradictory profits properties uniform sector hosted concur settlement derby stomach
atleast dice courage randomly childhood pronunciation slander excluded diverse homophobic suppress dismiss saints
tactic channels exposure ludicrous columbia translations ultra verse kong anna reveals waters extensively winners
champions rewriting singh newbie convey instantly gosh reflection blowing scan atmosphere client ignores logs
restaurants authentic trail blindly prohibited hosting electoral medium bulgarian defended rugby robin subpage userbox
undertaker cinema ratio lessons lover slept gray embarrassed suits employment suffice chemistry controlling mutual
stalin viable handling masses consequence dennis forbidden techniques phoenix infringement fortunately respectfully
imagination doctrine separated scotus drinks inch queries frozen disappear thereby marijuana cope boards bait
psychological imperial oppression originated resign segment carl mixing romanian croatian mariah anglo shell cheer
challenging grandfather trace eligible pronounced blew castle tire worker judged clause infrastructure scenes
slightest architecture carter entities illustrates reliably nigeria shocking liverpool cheaper purple spiritual freeze
confirming longest investigated realistic scrutiny moderator jury inferior shout viewers desired steel splitting
credentials medieval larry advocates isles peak textbook fruit definite trap anthem angel admire condescending
sequence arena experiments noble harris obligation mathematical flagged generate africans backs pill populations luke
arthur insisting celebrating deletes kennedy croatia refugee dramatic worrying cheque norm thankyou signal breach
dependent clan obnoxious filter proportion gene mighty doom alongside legislature dominant nail adolf attribute
taxpayer musicians ethical jean venice uninvolved sorting bars railway noun earliest shirts priest mouse pocket
addiction rapidly asians essence olds executed makeup moderators ideological patrol estimate improper sovereign gospel
orientation permit shameful opera serbs surname passion attending dressed drove inevitable hung objectively aaron
biblical hong clarifying nerve prayer producer rankings alumni yankees gorgeous shadow colleagues cooking chest echo
transport mountains efficient reactions downvoted monitoring principal tale incorporate transition gains warrior
warriors cheatsheet fatuorum flies tear vital margin couldnt manually releasing shares dawn assigned compliment
publicity whine resist petition searches produces thirty cuba appearances harrison wings bonus cloud chip billy
verifying tracking preventing clicked committing compatible yard inability cells correctness passive captured calories
carries variation transgender consult warfare ottoman comparable fort schumer stalk delta nite ingredients mathematics
treats sane directions absent abandoned adequately tens martial admittedly biases sued protesters virus moot insanity
graphic plastic wisconsin incoherent admits thumb anchorage vanity archiving rightly finishing dust hoped parking
walks metro travelling welcomed clothing relief enormous premise devices sharp incompetence hamas genres conservatism
orphaned dialect miller unsuitable jose prob minecraft concentrate euro flowers respectful estimated continuously
leaning panel engineer satire scroll chamber cookie ranks nobel patriots christopher presently rumor measured matthew
waking toss marvel assured sheer steven satan expectations sounded cringe asserted achievements cyber firing adoption
caste raises mount lisa handy patent cried inches smiling glory glorious attraction nike atlanta bulk competent
disagreeing dominated celebrities societies phrasing sacred witnesses chaos impartial derogatory disrespect warren
preparing contempt frequency losses applications aired defamatory etymology retrieved flights loan upgrade electricity
morally medal contradicts pertaining priests apologized parks assassination neighbors bishop reuters contrib dirt
promo sounding rooms sacrifice resume snap shake lobby bone assessed tier touching interact demographic existent
encounter oppressed aryan abilities johnny picks plural manga adams refute villages respectable definitive vicious
carey disneyland tricky uncited talkback collected apples timing prayers approaching penny coat criticizing feminine
mocking goat donations comprehend reviewers evolved spit sanctuary icon charlottesville philippines hungarian shining
panic professors blanket reserved unfamiliar requiring wages prophet adhere literary highlights vaccines congressional
discipline span extremists installed finals humble puerto washed rapid facto civilian plagiarism stubborn addicted
combine trends prof outstanding nearest competitive isolated veteran boom labelled sanctioned hills allen humour
warranted netherlands laying remarkable declaration interviewed orton kyle rangers headings snake begging goods
delayed smells unsupported socialists curiosity critique rotten satisfaction realizing critic cent trending challenges
notably mandatory gladly neat investigating unjustified imaginary pilot stewart profession curse unwarranted advocacy
alaskans alberta disrupting slavic barca concentration slip praying honour stepped riots atheists wears affects statue
observer geographic manipulate influential irresponsible patrick passages redirecting subst userboxes sitush trains
lions overseas ridiculously enforcing opportunities grammatical bases personnel amazed rolls shed jared accountable
offending invisible teachings amnesty stake norman trading ukip milo geographical mcgregor osborne kardashian predict
noon racing dang admission typed excluding enforced perceive depressing partners fallacy horses alike professionals
investigations barry theology injustice invaded egyptian alas franklin tasks kansas parameters coordinates beloved
pole borderline laundry nearby loyal tricks concede commitment hobbies wore kindness overcome juice shine mosque
kentucky welsh sticks admitting blamed thier recommendation tennis snoop jazz luckily crossing mega yikes verbal
intense unwilling commander manipulation norway shooter insignificant revolutionary authoritarian olive tragic becuase
sword rocket statistical maker bench survival simon independently casualties inning wikiprojects oliseh rental exams
pleasant hacked offices remote similarities confederate preferable unite civilized greg rapper rolled substantive jets
boots gathering coal taiwan safer conviction specifics spotted supplied jennifer constructively unilaterally repair
friendship yelling marley fever collecting severely internationally persist vulnerable glance reducing eternal
interactions dictatorship pakistani genetics underground fishing wikis iowa objected featuring oversight editions
deadline kenny resolving thesis raining invention graduated plainly demographics neighbor loop rejection surrounded
fork legitimately implication refusal mock triggered flood rifle pipe construct veterans badge gate attitudes itunes
descendants norris eugene unsubstantiated keith serb beckham dignity vary mindset rounds throws kicks offline easiest
bros restrict abstract noticing shouldnt readily programme assets diseases ross upvote entirety appreciation logically
simultaneously socially collaborate canon encourages html flesh artificial vatican persecution inspiration suspicion
visits fest ambiguity rebel berlin slam brad lawrence arizona cambridge objectivity transcluded mainspace czech
satisfies tgif burns adventure thurs serena victoria identification mysterious smooth roof aged nevermind obamacare
portland tweeted bothers illogical sciences adjective thrones estimates defender divine blues centered competing
quebec billboard canvassing inviting barrel forgetting separately suited android filing thankful underneath lasted
teenagers twin targeting vocal madness wiped universally bashing glasses labeling celtic protocol considerably gaza
descriptive elementary sandy photographer organisations playoffs hereby recovery gravity invest flame jane argentina
dual breathing informing declining reinstated governing flaws cousins seal crusade exceptional trials truthful baiting
unpleasant killings harvey mythology bones harrassment tail overlap insisted grass abortions specialist conventional
determination tourist verbatim engines nato wikipedias romantic temper philosophical buzz fusion facilities
restriction embrace pregnancy recommendations talented inherent reasoned minnesota plausible quantum boycott
thankfully morality nonsensical routine creatures grief realm portray abuses quran lineup reckless turkic mill
pressing spurious kurds sanchez para wayne roster operated concensus workshop oath alerts doug firefox stones casting
speculative romance misses brooklyn developments chips akin respectively achievement adorable natives slur unfairly
closet enterprise thereof variant prevented guides optics singular tanks reduction emphasize punctuation preserved
relying commonwealth reporters parameter indef albania sysop watchman thanx simpler fires hugs forbid capitalist
firmly omitted bass depend disclaimer discourage intellectually unions collusion assess bacon quest denmark
undoubtedly mandate prevents corps quietly indiana nasa chooses composed retained uninformed judicial wholesale keys
discount slide bash swimming submitting certificate laden compromised desert celebration landing aswell instagram
succeeded venezuela closure habits clients hungary shoulder infamous duties acid positively migration aforementioned
senators tense morgan insists rivers inaccuracies navigation oldid liam messi specially fridge pete wallet aunt messy
fifa fwiw custom symptoms genes revealing grossly spends knocked divisions teenage aims bullied proclaimed generous
poison compelling sponsored colonial variations skinned facility stem observe pennsylvania sits klan conscience ease
mindless parker establishing desist rants illustration designated hypothetical initiative interfere formation
murderers intuitive oracle printing counties sanction conor darwin defamation columns albert hospitals kate awaiting
preferably soup avenue couples tempted unverifiable happier witnessed surprisingly thoughtful nicer parody anne
islamist wire legendary notorious montana ambassador intact starbucks differing discretion sandwich undermine
influences outing ceremony argues venus cowboys musician potato approaches buttons destination practicing darkness
processed spider topping distributed accepts blows queens desirable gathered designation hats mars deadly basics
provinces equals versa blunt eager antonio hahah screwing manners diplomatic tennessee braun twinkle ihop safely bath
calculated finance bend boost poem barcelona registration twelve funeral enable backup continuous downvote supportive
mild campaigns fitting graduation inflammatory gordon disturbed troubles welcoming unstable integrated disingenuous
rogue patterns indo corresponding oriented filming butter ally pokemon affiliation liberalism transit seinfeld
einstein buck capture adjust jeremy cont philadelphia listings lakers naughty tampa lousy belive unnecessarily ouch
circuit gaining courses pace mechanics declaring grandmother protestant cameras endorsement coalition neil emotion
component straightforward promising athletes developers distorted injuries outlined predicted academia juvenile
continent exposing terry assad unwanted nancy construed bentley donuts namespace jerry colours install angels todo
deposited arrival promptly rings eaten saves placement seller misplaced rejecting enabled disgusted researcher
endorsed iirc breeding guru sized ideals rachel sneak privileged olympic capitalized walter qualifications tamil
lebanon lexus encyclopedias fleetwood tyler beware monthly risks puppy banking grocery doubtful behaving immoral
reagan threshold rabbit footage inconvenience soros neutrally hannibal liberation exit restoration displays mailing
orlando drain separation systemic sink inter vampire monsanto demonstrating romania russell philly packing burger
permissions weakness cafe beneath console subscribe provider clearing trips mailed withdrawn readable disputing teens
wreck banana slang crop bullets distant wannabe consumer comparisons ideally spots mislead spoiler constructed sloppy
purge graph personalities bust ussr circular skeptical decency perspectives paraphrase postings myths federation
dublin hail downloaded difficulties shouting sympathetic reminding starving chess indonesia recover residence stressed
subway heated prone licenses peers evaluate coup centers planes examination informal structures comprehension
satellite extraordinary acquired erdogan licence wikibreak bibliography knicks dogg ambrose networks unlimited linux
chasing digi initiate soundtrack yards costume thou tube denies financially ripped mueller lean sauce developer
respects greed shallow eddie patriotic foster pork traits mankind futile invested rico aggression vaccine pasting
portrait cleveland carrots amended craig buffalo asserting clark deck sends cons armenia celebrated twins fortune
austria adjusted determining funniest someones conscious strongest unethical upvotes communicating highlighted dish
immune manipulated butts employ rope willingness atrocities podcast wished prisoners similarity elder vendetta genesis
relies bankrupt debated manning chairman packed thanksgiving producers unprotected marathon romney bishops montreal
homer eagle circumcision copyedit signpost metlife calibraska sunshine occupy oral fixes apps wonders oscar fried
couch exchanges insufficient functioning airline unpopular yell tastes guessed abandon novels jacob dragged pirate
thai lend dominate volumes recreate engineers striking accidents hardware noone privately ottawa carol conflicting
execution renaissance leap import bulgaria oklahoma slim enjoys annoy firearms brackets autobiography aviation amend
armenians shortened yugoslavia tsipras listas juventus gentleman reckon hardest soil sheet graphics smiles switzerland
belonging void portugal revoked arise divorced dictate coding kingdoms linguistics morals stumbled occurring practiced
buddhist theoretical monopoly leaked mafia manufacturing arrow thailand organize instrument rookie assistant testament
poles inflation believers prosecution examined baker contracts strategic mainland finland cobain mets bytes danish
jonas zlatan menu teaches shipping login fraction inclusive easter shore possession careless irritating secretly whip
provoke locals whoa assaulted misogyny colored doomed diagram stan farmers branches usernames stepping fatal
occasional coke backlog probability utah condemned failures unbalanced brick wallace inactive prostitution indirectly
resigned exempt geek nixon condemn meetup samuel inadequate unofficial wikilove replaceable afds jindal federer booked
pockets pale necessity maga lion reinstate grip atheism oddly grind horribly lighter vastly harmless unity
conveniently outlet collapsed legislative evaluation scientology assumes inhabitants orleans warrants tales todd
pseudoscience libraries consist homepage pence exhausted convenience directors teenager outs reaches paranoia
inevitably routinely prompt vegan equation overwhelmingly quantity arbitrarily seeks totalitarian karl creature dumped
foundations publishers worn evidenced motivations colleges tribal islamophobia verses brazilian differentiate invade
deaf appalling graham bulls gulf crude philip missile paradise provincial sovereignty distinguished copyediting
unencyclopedic nominator complies cave obese lasting hopeful meds kent secrets andre functional mistakenly clerk pills
platforms hindi fence migrants scout empathy expelled seed soapbox screening departure racially qualification chin
systematic bald chapters hart fears proposition identifies unspecified moscow plea cubs overlooked bury israelis jays
herald occured districts melbourne definately tendentious chronology jacket fond curry obey desires themes displaying
usable validation inquiry brush deserving subreddits consciousness nazism margaret sanity alphabet honored mutually
tails foreigners shoe wrap spoilers operates kudos broadcasting wicked sins portrayed shield flew aftermath oliver
carpet obsessive phenomena drake monsters accidental broadly prominence runner farce scouts revise cyprus murphy
weekends axis xmas passionate flower elvis tues ordering cheated compassion evolutionary insistence uphold ward foods
pasta repeal deficit agendas metric patch bail preach collins tourism affordable headlines synonymous voluntary
accountability deplorable bleeding possibilities prohibits bosnia azerbaijan systematically disambig wikilink kurdish
bios envy clash hooked mentor charging pops arranged circus muscle metropolitan shark creators tokyo implementation
clinical beard rumours pearl fulfill uncertain prevalent romans lest eliminating ricky aussie intolerant maria
ministers thompson opposes numbered refering libelous italics unprotect maryland breathe magical destiny popping
suffers figuring terrifying paraphrasing poetry wrapped amen stack theresa afaik outraged delusions salute variable
evasion owning egregious painted saga ballot coherent naval sikh gutted flames mans framework mohammed backward
malaysia starters fleet categorization clutter newcastle popcorn dose bedroom burnt infact transferring limitations
possess dissent sweat mediator outfit demanded jessica norwegian remembering guards proudly follower invading survivor
evade coined allied pedophilia zombie liable bridges prefers venture whale misread unemployment rallies deeds counsel
taco gangs profiles rainbow douglas conquest americas erasing shaped surviving pose asset hacking washing breitbart
tropical drafted susan introductory synth vamps animation ditto beneficiary doin swiss waves amanda canceled eyed
limiting dept mortgage passcode mcdonalds backlash ranting masculinity unironically purposely strangers vietnamese
proto buddhism tooth caucasian pursuing industries donating uncalled generals gentlemen umbrella roma rises
characteristic motto posing opinionated rider hostility fairy proponents needless composition continental qaeda
imposing creek alice objecting continuity chronological samsung relaxing sells popped robinson withdrew duplicated
belgium cognitive negatively jake esteem ruler shootings approached retail rampant imagined bucket negotiate breast
wolves culturally browsing gates deem reminders italians praised heres madison pilots unfit poet lone certified output
commentator shoulders persecuted jurisdiction experimental boxing campbell coaches deceased charter designer captions
albanians comp valued operator carlos garage tension gentle premium unsubscribe draws telephone networking motor
retract advertise encouragement curve grandparents fist incest felony comeback peta illusion anonymously donated nuke
learnt transportation radiation thee landed accomplishments animated whoops characterization abraham proceedings
interference polling magnitude accompanied posed excess ample tally armies splc spurs glenn capitalization
substantiate hinduism unemployed stuffed token swap minus messenger opener experiencing siblings interior survivors
marie floating asylum tedious steady faculty voluntarily accord fifty rocky predictable playground profound wade
tourists pronounce hosts makers catholicism accuses passport switching duration debatable earthquake coaching
apartheid victor photography battleground jargon ruleset vaguely shakespeare await scoring tops surrender oxygen
diamond unsuccessful patently classify acknowledging responds household carson superiority intervene breakdown skull
premature tiresome slower devote bump tabloid antisemitism pollution grows deceptive escalate demon interestingly
vocabulary assignment germanic entitlement faux gore objectionable pursuit shops predictions tunnel consequently piano
organised fiscal raid interface joins suppressed pipeline rebuttal dictionaries toys referendum differs alaskan
electrical demonstration baltimore modification creationism synopsis cache editting rationales gees fifteen belly
exhibition tackle senses strings quicker withdrawing recipient leeds altering bangladesh fuss terrified nursing
freedoms consuming rabid innocence chunk traditionally rambling missouri healing lucas sworn shelter focuses afghan
genders compliant patriot toes statues illinois sums elitist speeches stroke forming subjected dragging correlation
static profanity basket rendered trimmed grants flaw variants vested geez agreements sphere hawaiian obsolete premiere
delighted harold translating trademark wikilinks mentored yummy arrange roast postal valentine fooled hella fiat
trapped setup processing issuing receives organic connecting expenses expectation athlete matching routes grain
confronted illustrated compound dominance proceeded horrific taliban anatomy fabricated militant refuted columbus
accommodate misunderstand marxism lawn chronic elimination elderly pelosi nova dense contributes monarchy organ
scripts economically diagnosis nails truths invent scientifically compelled royals intolerance unjust resignation
trucks rebels unregistered distortion unqualified trustworthy discredited monument nutrition contradicted
encyclopaedic reworded gibson otrs restatement mates cliff sang kitty nelson hows purchases sleepy maths rejects
pastor rhetorical intimidate slurs downright rear solving whichever massacres cleansing populated matrix spray champ
icons legitimacy googling mormon damages attendance revelation mouths throne ethnically varying instruction anarchy
luther kitten tyranny trillion wrestler harmony pejorative reproduce neglected mississippi hispanics signatures chiefs
trinity verb pedantic castro commentators griffin prohibit tertiary summarized mongo formats footballer mediawiki
macedonians alias insertion miracle semester logos hubby crashed mumbai expiration correspond accessed plague underage
uncommon consumption diagnosed grading skilled upvoted shorts bounds msnbc sidebar shade dishonesty brit mason thunder
pepper cynical consumers progressives jefferson exclusion beans respecting harbor legends dreaming mediocre slapped
sporting structured cape descended reread berkeley manhattan expressions reduces artistic missiles fossil economist
iranians spinning meters arrangement offender characterized unambiguous consecutive maliciously rubber jeans gifts
topped reflecting founders probation screenshots enlighten stereotype keeper departments rudeness measurement fries
equations binary marching brits conquered qualities dogma essays mercury trophy simpson colony signals misrepresenting
projection sect hiring rulers rand organizing belonged sanskrit prevail iraqi dictators refresh southwest demo
negotiations therein tide modifications steelers unilateral cate unfree loyalty ebay chatting chillin fantasies
disclose contacts distract marking reluctant stored brigade tommy streaming cannabis mildly enjoyable justifying soda
achieving willfully populist registering mechanical threatens barrier marginal halfway strive storage regulation
billionaire exaggerated anarchist cage dome lawsuits dylan pledge wounded sham waving entrance vindictive shiny
capitol disdain supernatural dash kirk hers typos satisfactory tattoo morris peninsula guests oven spellings
prediction rite whos rofl cheek stability pause detect pumped travels sober submissions convictions stereotypes
fundamentalist monetary torn singers infection poke justifies elses nurse methodology lightning infected textbooks
idol fluid dressing genital stir norms dame donation brexit prompted cries orbit colbert exhibit unprofessional
pressed newest atomic sneaky reportedly ceased zionism managers ducks forthcoming samples palace asserts holly
superman finnish recreated uploader dialects gwen unverified steak neglect avatar jungle retrieve earning simpsons
resent responsibilities protects recieved gradually bore unhealthy wound crushed carrier busted activism sequel reich
feds sentiments complains proofs custody recreation googled suppression preaching cowboy sweeping refreshing hans
managing illegitimate endlessly succession binding studios integral mister grudge compiled rodgers daylight spade
sixth alphabetical operational grader rollover notation bishonen nephew incivil texting beforehand stamps spark
elephant cooked subscription shah luxury validate authorized incentive improperly arriving girlfriends careers
affecting suspects knights willy exploit prospect bolton herd rival hunger swim uprising upside ideologies
availability components hierarchy jeez prosecuted hysterical jailed contexts toast julian skewed massively
billionaires disprove screams emerged acronym perverted complexity knowingly misconduct manufactured efficiency
competence watson comma participant launching monuments marshall demise subset nashville notifying omit blofeld
harrassing britney heal nurses entertain embassy lightly accounting expects skype unexpected inadvertently recognizing
hometown slipped conjecture recovered rogers prom lasts satisfying praising migrant combining dishes overturned
affirmative memo societal polar queue extinction retaliation eugenics palm announces attributes humorous goose flavor
sentenced enabling depicted translates elites outlook defends compensation distraction taxed teahouse leagues
southeast faults lectures saddam mining bureaucrats astrology overturn retweet revisionist louisiana pension
allegiance conducting scripture booth semantics bureau rewrote parliamentary puzzled misconception headers frowned
advert diaries quiz avoids staring frog emerging tenure intimate priorities kashmir demi ridicule corrupted baptist
unified optional fabulous horrid crosses sonic homophobia cautious falsehoods trait apologist awfully absorbed
almighty aggressively watches pushers boomer sinking heights delusion continuation heterosexual corp employers
stripped prop nutshell corn censors settlements fanatics tremendous prohibition gothic boundary cuban missions fooling
certainty distort individually protocols omission belated slimvirgin wikia compton blurb lemme notifications prey
darker springs salmon starter assisted streak associates rightfully contradicting photoshop inherited neighborhoods
cartoons structural applaud payer outcomes inflated ronald extinct lighting curb boilerplate loans rephrase simplistic
announcing indicator foremost destroys eleven leak holders compilation unto centric fiasco misrepresent repetitive
charlotte tibet senseless benjamin webpages bottles duly consulting airing identities nicholas mediterranean ashley
playoff clouds sunrise finale converter summerslam barnstars hounding assyrian wikipeida wikiquette toll dime freezing
creativity abusers barred maturity stunning engagement genus terminal traded avail provocative concerts therapist
believer paradox edgy cooperate discrepancy strawman vacuum revisit paintings comrade aiming prep predominantly
helicopter glaring offical robbed tolerant outer incompatible daft lineage royalty marriages preparation sheesh bryan
rigged embedded arnold mirrors explosion considerations excitement linda gibberish disservice tortured cursory abiding
fanatic preserving combo deputy unreal diligence remedy unimportant antics persuade performances triangle consisted
pittsburgh elonka drmies proxies bosnian blessing guild realy impress closes matched pierre companion lifting starring
extract chop adress merchant euros swallow punched statistic suspension disclosure struggles disorders airplane
concentrated sushi cooler semite misinterpreted probable stunt favorites mute amazingly hyperbole wholesome peacefully
slogan primitive consume mixture micro bunny colts sour legion razor manufacturers hints loosely libya phrased modest
criticise laura investors fargo honorable commerce customs wrist adopting untill layer implementing underway enhance
hybrid cyrus julie persians subpages theorem userpages jayjg informations rebecca playstation taxi browse supplies
resubmit smiled arises lanka theoretically shipped fold colin incoming arrives locker workplace dividing bisexual
pushes bleach vanilla needlessly hysteria explanatory interfering hyper mongering swastika radar statistically
bragging solidarity nutritional punjab medals repeats katie barbaric voiced verizon grad connecticut advantages
territorial crow marco owes notwithstanding presumed backgrounds slash governmental tuned yemen explorer ivan induced
capability turk kenya manslaughter conception equipped instructed permits arguement density vain baloney broncos
bloated characterize patrolling ranges unlicensed duplication tigers computing noel athens telegraph miscellany
chilling tendencies borrow sorta juan wildlife confuses hugh gaps shaking spree kisses youngest offspring flexible
prevention betrayed anxious sings mechanisms selectively manipulating renowned derivative libertarians pulls
enlightened slot weaker ritual comedian ncaa disconnect enthusiasm towers obscene yale underestimate slick antisemitic
jumps pointer joshua specialists wheels vets drum grammy intermediate prestigious unused favorable intimidation
horrendous austrian legislators retiring styled sullivan lebanese earl permitting byzantine excerpt anarchism refered
flickr uncontroversial persistently unsalvageably todays dentist partnership finest reserves salad fastest linear
seeds treasure atms globally medication omar fragile predators immensely ninja addict thatcher retreat grabbed
shutting shaming evangelical salty shia shred policing signaling whim intellect campaigning ruins sizes favors
strangely blames protein indie monica remix poisoning overnight dedication equate stat unconstitutional precision
deniers strategies usefulness hostage distracted discriminate slope hugely speculate bikes synonym chap bummer cows
temperatures caribbean insider cups adventures anchor airports traced passengers railroad summit cardinal hannah marc
precedence repetition malleus wiktionary composer thirdly blanchett trauma completing paths batch smashed amused
contactless originate calculate recurring punching detrimental locking thrilled tours willingly baron clinic furry
farms governed jealousy topical battlefield exodus shifted bureaucracy deed ensuring malik taxation advocated defunct
notre cathedral institutional faithful recruiting marx robots ancestor spouse upgraded hasty deception thingy latino
hike milton cohen detected directing hopeless guided fled ponder drastic immunity hezbollah eternity kneeling unborn
commercials advisor prominently nominee reiterate obliged revising saxon intending whitewash pointers newton gesture
wrestlemania interwiki reword vincent gabsadds pairs sayin furniture sweetie toyota exchanging unauthorized exceed
faulty downvotes distracting biting drastically handsome behaviors branded sadness brands spaghetti cuisine
enthusiastic patriarchy stale medicare nailed obtuse mockery circa cracked moderation recruit ergo birmingham
successor outlines marrying competitors stems boil extremism superficial guise sustain horn slant integration spacing
endure evolve exile confess instruments geometry wildly boeing whistle deportation sweep helmet veracity
misrepresented journalistic masculine burst marines fleeing declares spill newcomer vector sophisticated momentum
handing taller varies spelt overhaul powered synonyms storms panda arkansas turner associations vikings artwork
nationally spells dakota beleive purported beck abbreviation smackdown croats povs pageant familiarize darling fave
roses temp technologies massage pros winds ceiling inconvenient dull stressful calculation amex converting bonds grid
sweaty heels reacted violently blogger dealer lauren mortal agriculture napoleon peterson reactionary circumstance
timed pirates halo discoveries converts vaccinations profoundly hooks craft symbolic baked tirade redeem diplomacy
inexperienced recognizes nest measuring anonymity psychiatric clintons qualifying vaccinated rooney rides cropped
gotcha betting anecdotal pour transparency markup speculating jesse planets indonesian ebola ellen newbies deflect
utility leonard jamie calgary brandon nationalities contend stern erik championships chile integrate knox
massachusetts rectify gamaliel balkans edinburgh coins sheets hasnt wifi satanic onwards abbey lounge melt recipients
rethink basing louder alcoholic denounce picky sketch overweight sway restart offends clay forty oppressive slanted
treatments advances buys arose escaped innovation karen astounding hacker visually xenophobic detailing pretends
punitive decrease subsidies impacts alexa oprah shifts inconsistency nebraska disappoint chuckle bomber tireless widow
arctic rendering servants malcolm electorate passenger vengeance marker laughter disc tidy measurements wholeheartedly
removals wrath egyptians cooper holland contextual designs peanut amsterdam specialized silliness judgements quarters
nerves bernard nathan urls ther lopez devils tease cali greet hiya roommate rumour workout eventual dynamics
bankruptcy prosecutor iconic swearing georgian fandom kool shady cracking chambers surveys vein mayo fashioned
performs pony nigerian hoaxes kidnapped collectively offenders isolation shifting interpreting siege coastal maine
churchill colonies chan chains transcript appease troubled loading seriousness remembers instructor pretext
libertarianism firearm hearsay operators commute barbara cannon booze glen relevent mines somalia protections sponsor
categorized defenders rooted domination touches pres pats intentioned wich litigation empirical conjunction garner
nevada brawl mitchell drift yield mccarthy philosopher assessing penn oakland runners nicknames subsections hyphen
innings buses bristol tacos gimme costa attach oranges loosing defer warner barring devoid gamer transmission smartest
brag farther portfolio clips mocked prank melting graves simplest inequality lobbying sunni tossed osama bake metaphor
implicit liberties perpetuate articulate magically malice sects mutilation shadows koreans documenting sociology
litter blinded meter scrap misinformed zones villain brotherhood constituted authored theological rebellion conquer
sabotage feat breasts bureaucrat mills peculiar settlers casually slaughtered ralph motorcycle midst obligations
superfluous enacted constituents congratulate parrot forbes pitcher outsider flooding fabrication hanged consisting
ferry monarch effectiveness packers vista creationist summarizing urdu grammatically socking yugoslav crashing weirdo
mails xoxo recession sara hesitant dial lengths generating fare confront furious anthropology unpaid epidemic
manipulative assaulting hideous override inventor spotlight landscape dank feud analyze vibe navigate standpoint
disguised breeds wary apologists stages dismissing robbery downloading lacked buddha debunked diary dialog surnames
wiser puppies theaters pointy bosses bowling resorting flock calculations heap firms scots ditch sustainable tearing
humanitarian explode filipino lemon suburban stocks celebrates desktop seventh highlighting moses operative aligned
clergy disappointment pumpkin mart beijing foolishness belligerent timothy erroneously reversing richmond stanford
inappropriately affix joel stanley interim neologism nableezy peacock everton enwikipediaorg memorable flowing
optimistic prix athletic atrocious charming attracts renewed likelihood critically grades mann surprises surplus
confrontation cotton reacting climbing dumping screens finite disability platinum takeover regrets abuser millionaire
persona gamers leaks dramatically capabilities bummed confession shave pond servant tyrant connotation stare climb
snarky dangers sikhs detriment separating goofy organs falsehood pagan recourse crowded forensic minimize storyline
improves govern identifiable enhanced webster aesthetic deployed mathematician repository lloyd investments coulter
gregory civic tangential pusher coordinate substituted evading checkbooks pancakes sharon wikinews arbitrators
chiropractic transliteration guitarist reinsert bites burial suite realizes java apes greeting nationwide worms wounds
upsetting modifying hormones cigarette festivals bravo pains enslaved lite regimes infant framed ineffective
whitewashing hollow colleague outsiders catches physician honors curation cycling infer nuisance condone witty noah
worm manages arch marxists grandpa roberts latinos smashing soviets accomplishment prejudiced determines devout liquid
undocumented condolences howdy superstar ariel nobility genetically transcripts adverse copper tattoos islamists intel
intensity mitt gauge bailey plots therefor burke speeds unworthy lakes holmes philippine substantiated inspiring heed
observers scanned bradley pedro europa authorship finishes spoil psychic prizes knocking props probs doll spoon
quitting algebra happiest compliments unlock unlocked ronda bipolar imagining desperation implicitly verge resisting
nordic genitals educating feasible charities ridiculed shades sperm salvation revival farming sausage scoop tapes
whack tantrum kettle particle fulfilling berry python stark electronics lamb rampage bombed translator segregation
astronomical choir gale abundance indicative hijacked inflicted projecting scattered socket troubling behaved advisory
warped correspondence grill prisoner invites cycles triumph youve numerical poses heather uncertainty hussein jackie
edgar mick comical intimidated justifiable prosperity balancing ucla criticised concealed sheriff patriotism raymond
frightening frivolous notions diminish broadway provisions rivalry clumsy orphan recordings rodeo provoked evidences
undelete encylopedia timestamp lennon casualty dislikes prescription messaging buyers rewarded suspend demons loudly
discord lords niche vessel yawn punches feeds statute midwest dragons smallest collateral downhill classy dolls
worldview existance anarcho instinct disinformation unrealistic astronomy surveillance apologizing redacted northwest
scares primaries upheld transformation blade abolished cursed suburbs colon symbolism tissue rebuild detective extends
hyped portrayal sonia arrows intimidating philosophers propagandists jeffrey brat glasgow distinctions wiping
republics dangerously backstage provocation regulated controller rode demeaning rouge rotation civilisation timely
protestants scriptures stifle unexplained wikileaks exposes legality ankle wireless commands tweak practitioners
caldwell neighbours snide productions brooks continual bats perpetrated multitude stuart indiscriminate drafts
robertson venues blake continents grove slanderous consulted retaining flop arbitrator sidaway speculations homeopathy
regretfully prestige andrews ridden tobacco derek kerala chef dimension inspection canal meals parish edwards woah
hides chapel mileage landlord receiver fuels pickup dots entertained balkan equity spiders nets fanboy objectives sims
contra purposefully clicks powder mein leather facial ness addicts seldom urges farmer clique amber lump pursued
overrated conversely proportional resentment strawberry cleaner transformed commend utilities squat salon unanimous
nicole crowds empires transform plates reap bland exaggeration distribute retweeted audacity immense savior hemisphere
hacks delight bees commits scandals semites boomers zombies imported escalating spokesman forehead chancellor denier
undeniable municipal omitting zionists whales endorsing generalization pitching drone prosecute banners bureaucratic
astonishing onus oneself snakes goddess klux rubio acknowledges cheney alison extending peru volleyball fluent rabbi
excessively apollo manufacturer categorize yorkshire defame tweaking readability gibraltar digest alfred montenegro
plaza shortage praises blessings cough superb opted forgiveness skins reside misused assignments gigantic investing
vent faked irritated thanking flooded miserably merchandise circulation dodgy yearly emerge derive interacting weights
boiling observing dismissal pistol lust resemble reposting occurrence trevor joker mediate rushed algorithm pictured
familiarity persia brutally grounded overthrow cheering invoke counterparts inspire amendments amusement silenced
distorting mansion condoms conservation viewer filmed indirect risky favored specious chime whipped lethal flee
zimmerman circumvent charitable dive mormons gameplay revolt corbett crimea maintains mandarin magnetic muster
australians bordering comparative rounded trough belgian infantry schemes mitch boats betty meow coordinator chili
atlas formulation whois deletionist azeri fyrom belfast cuckservatives slippery screamed ammo blackberry lined
sickness deer ofcourse locally messes acquire nightclub proceeds armor trafficking conforms nukes tasty yelled
dominating gamergate medicaid dares downvoting alley jong bliss muscles perpetuating distinguishing diaspora grouping
reps liability dissenting commenter aryans utilize resting chemicals disregarding disproportionate burgers insecurity
salaries manufacture excludes prejudices endeavor kung sympathize descendant incumbent chronicles chronicle superpower
gifted adapted poems slavs haiti hull fireworks proceeding collar labelling layers limbaugh businessman poorest
multiculturalism charm funnier scenarios minions narendra potatoes refutation unwelcome phillips inference bicycle
inject exotic readership infringe romo archaeological skeptics steer overdue bounce birthplace kathy lynn shannon
compounds heavyweight gong municipality undisputed fuller provision geology skipped lithuanian ryulong fansite hairs
disco ulster reopen bruno striker forwarded lodge papa strain feelin poker cutest vodka vegetables appointments
percentages goverment mummy dental activated behavioral conspiracies kissed exhausting spine bengal falcon insensitive
hawk tiring trilogy autonomous providers discriminated summarily assaults exploitation shutdown seals spike panther
creed traveled announcements appealed disregarded mosques venom lighten cracks ivory migrated hindsight meddling blend
slack bachelor unbelievably elegant moose professionally trades cured ropes capita reforms splash suspicions noodles
lance trails insure veiled shane obstruction vladimir headquarters dilemma goats colonel inclination noob float
capitalize anglican delegates contradictions laziness relied depiction provoking brisbane gamble travis dreadful
treasury tina walt brett richards vetting laser unnoticed testify reproduction hackers fella flipping negotiable
forecast preservation nomenclature unambiguously adelaide istanbul autoblock relativity wikistalking perth blps nfcc
nash nikki vmas contr voltage holm telugu needle relieved greatness auction snowman craving hearted prolly purchasing
bypass anticipated insanely taxing graduating freshman maya taboo fallout disguise accents prisons profitable
resurrection replay coordinated paramount throats brainwashing crank breaches unprecedented tread majors instrumental
bickering unintended insightful emissions incite creeps singled catastrophe landmark sustained registry dinosaur
drones fallacious sensitivity hangs hazard sunset titan connotations relaxed annually archaic shines isaac feared
rivals owen aloha bronze nefarious suburb debacle eminem fitness cooling fluff methinks dire conclusive fortunate
indictment ruthless redundancy sinister messiah leafs nascar exploited thinkers bulgarians congressman misconceptions
pentagon manifest offset milwaukee uniforms harrass rigorous procedural preceded rockets unwise confidential ashes
thrust payers exhibited misspelled gerald pretense indies evaluating incorporating confined irving defeats carlo
shorten intrusive wolverine kite raiders rotating myanmar depicting competitions hatnote redlinks wikilawyering
rewording novice redlink usenet unchanged physicist impartiality tate hangon connolley enters acknowledgement banter
gist sterling eachother spun sticky eighth rewarding exchanged terminated fishy capitalists unproductive unsolicited
cronies waist appropriation nightmares meditation classed ahmed donny toddler visitor corners presumption
repercussions vegetarian deceit grapes verbally calorie terrific fruits slate laboratory hampshire riddled bedtime
aboriginal gateway baffled punjabi elders frontier fundraising bracket richest baggage drafting metallica vocals
variables outbreak trey publishes ammunition tomb lecturing anarchists hugo stretched branding handles realization
handbook conceal redesign troy twisting shenanigans builds chew whomever expresses imperialism teddy internally
shortcut revisionism condom puzzle transformers robbie uranium disappearing wordy cart surge sanger seized
geographically dummies boarding kindergarten trayvon capitals columnist crum distances freed donors hilary kenneth
isle herring edmonton kangaroo examining jenkins earnings judgments collections joey hughes gazette santorum talkpages
winston pedia commonname specifying filmography touring partisans kobe fellows tabtab mixtape weeknd chesney arabian
affection diesel smoked docs tuition psychologist cakes payed hotels trusting spice unintentional glitch payroll
grandson minors imperative costly exercising calculus indulge painfully grandchildren bloggers punishing bandwagon
nsfw slice autonomy ladder prophecy oblivion comrades winded theorist downfall commited baba sealed piracy saddened
nuggets administered intrigued piling hunters sailor varied angles martyr investigators pikachu mascot refuge
incomprehensible paraphrased pharma quasi vibes discretionary bella degrading knives comcast archaeology flows sands
melissa discriminatory fuzzy gardens advertised swedes complicit annoys lang regulars honorary chrome chaotic windsor
dodge penalties rumble exploration cardinals parallels librarian rescued physicians zach heel supplement relay
adjustments nafta boldly urine ruth unification creationists horizon predecessor gasoline salvador joan puff duncan
idle sung pseudonym stoked vince succeeding bride cain silva whereby caveat authenticity santos hudson sprint
diacritics kyiv webmaster copyvios munich uefa bolded wikpedia scouting dougweller castes dominican rajputs khoikhoi
paperwork recieve approx skirt vitamin argh cyclists unintentionally clears completion delivering invalidate equating
revive originating disable patiently conflicted disrupted believable convo sectarian consumed dysfunctional perfection
drank underrated cruelty pouring vanish distress vitriol seeming baking panthers dysphoria titanic pashtuns theorists
resorted demonize myriad intends realistically lens deprived graffiti spirits programmed hangover deter fonts
remarkably realist horrifying cults weaknesses converse minaj inconsistencies afterward progression clarifies planted
populace artillery camping pradesh tribune unresolved rehab introduces cocktail phantom shotgun residential adapt
richer digit tripping cherokee sierra zimbabwe morocco forcibly collaborators commissioner depicts staged trashed
blink riders intersection acoustic understatement daniels museums governance patents harming perpetrators jihadists
undeleted conceived suppressing blaze generalized directs thanked gambling dubai clues dealers petroleum priesthood
governors enlightenment khadr graduates prolific juneau photographers highways resemblance pleasing utmost
demonstrations unnamed dictates magnificent architect eclipse borough sahara pillar weighing tainted reversal attest
simplify carrie inventing brochure dimensions rooting lebron minneapolis colombia huggle croat medrs wikified cruft
undeletion clemson bayern spears farmbrough qatar urgently holla woohoo fudge welp lily lucy buff hottest poking pesky
funk smiley vanished obtaining permissible undesirable summed crass pumping cigarettes longtime headphones felon
shapiro swept overt ptsd disadvantage symptom faction vehemently sexes innocents drill pronoun abbreviations peek
apocalypse reed preclude compose embraced colorful overtly upfront ranch unanswered generates trimming recruitment
resembles compares attributing delays tactical boxer dried lease eyebrows demonstrably expressly negativity evaluated
nina overboard loony colonialism phobia gabriel offenses ethnicities parentheses warns grabs prefix specialty derives
ploy heating blanche scales centralized advertisements freemasonry programmer dealings rifles assessments masonic koch
nationals estonia anticipation drowned yorker elton maher deficits gardner diplomat chickens stevens traces kathleen
ethic coloured projected undermining pricing hilton katrina welcomes iceland emily prevailing impolite ranging zion
rfar italic rihanna cyclone breaching kurdistan northeast azerbaijani nofollow aight decimal disturb repairs tones
receipt aging prospects needy tick mint stairs explosive advising secured princes gently doubled condo assign ripping
protested arrests halt outed beautifully avoidance reprehensible hash collaborated enjoyment daring interrupted
dissonance suprised fellas null ninth disliked consensual brewing lgbtq wherein organisms negate fathom detractors
biologically wrongdoing orthodoxy investigative reproductive lawful dinosaurs rationally meltdown protective painter
exemption protestors betrayal heroic appalled lolz establishes possessed leno tucker indicted lining staggering
condensed sighted catherine auschwitz diane reformed unproven militants diss proposes intellectuals shaft errant
armstrong vigilant radius strengthen xenophobia treaties condemning gallon magnet beginners monitored vaccinate
substances obligated apologised behold tabs adherents cantonese semantic tibetan launches audit disposal luis
quarterback cemetery bingo recap expulsion caucus zuma drummer superbowl rhodes negotiation evangelicals kiev
acceleration economists sundays insights clarifications levy norse cork somali preseason slandering addendum lithuania
rawat clarke phillies obituary sandstein warred tornado showcase wikify dissolved dodo rephrasing omega violators
ellis avril installing disk rays forgiven deficient torch jess ahmad costing mailbox themed cola downs mornings
recycling brah ciao haircut influx groceries withdrawals swallowed tracked defect decreasing sync horrors niece
impulse raul attachment pronouns commas kirby wether supervision summarizes tournaments uniquely dong dismissive
clearance dared steals seated resistant overkill poetic flipped fronts arguable indisputable hires abolish emma
grouped lowering stealth overwhelmed guiding regressive lowered buster thrive wizards coolest tesla shorthand
perceptions eden reconstruction confessed empowered dissident raleigh criticising judiciary termed hannity safari
kremlin tent lulz cattle robust gala spirited hijack dresses reigns tender acquainted viral coincidentally decree hulu
remembrance vaccination plugs vowel disparaging preposterous bombings bargain tunes commandments forests gratuitous
dividend wrongful athletics boris persuaded militia compromises ethiopia reliance dawkins councils hawks sylvia
freeman situated ranger encounters corbyn reinserted incarnation gaelic noms deprecated beam camel historiography
electron impressions derivation dixie expo monroe berto ravens absurdity airs andemu selena directioners caller
disastrous poly helen havin compass rhythm cloth texted uttered villa natalie assisting terminate tangible exceeded
discounted remedies stereotypical loathe devastating volunteering asexual justifications intriguing epitome redditors
validated abnormal inmates surgeon adjacent centrist classics standardized zealots skepticism imprisoned dimensional
wrecking molesting bananas mortality portrays designing functionality spokesperson expands ahem impunity clone haired
flattering tsunami jamaica responsibly affiliations partying gracious replaces stretching prosperous architectural
emoji wrongs undermines persists entrenched crashes stacked imminent chalk contractors stein fallon gratitude bale
hound shills flick brutality alarming yearbook sunk unintelligent restraint reds portraying piper hearings aggressor
leaf casts sophie richie womens rusty amazes pulse innovative impaired congo yankee undertake spreads monk chorus
speculated thirteen courteous hardy cargo particles jupiter schedules mammals favoring chavez coffin decidedly
exhibits honolulu frederick meyer hopping romeo accompanying partisanship appoint pillow reid benghazi stalkers suing
sniper christine breached excellence cameo resolutions compromising canonical attacker undertaken publically compile
teaming adherence referee proponent recommends freezer moldova ruby mondays farewell dvds penguin unreadable navbox
coatrack autoconfirmed pigsonthewing fancruft jossi redirection biggie rowspan provisional drums ethno batting trio
rematch hesperian presley rajput grumpy cabin module clocks weighed cuddle strokes doubles outreach guesses bundle
happend sponsors locks perpetual postponed onion mens shelf haunt subscribers oblivious ding frankie hassle remainder
regain hygiene compensate helpless devastated comforting quack heir obesity cater tricked shoved rhymes blacklist cans
learns varieties linguist chunks untrustworthy bloc turtle soliciting donor notch karate disciplines taxonomy
comprised dreaded proclaim undergraduate diving nominal manifesto relieve impotent exploiting elitism destined affirm
corpse versed struggled counseling wheat mongol touchy accredited fury oppress ostensibly databases civilizations
boyfriends spectacular thumbs unlawful rightful listens wink purged vetted bing ghosts bidding logan idaho liner
paradigm bred elevator discharge realism inauguration traps lads drawings shooters shri enslave calmly warehouse
swinging ment haste havoc lanes bacteria colonization otters testified browsers dandy instability pastors candidacy
kosher tehran lawmakers eminent veto chairs bolt ante willful financing propagandist alleging christie heartless
selves defective tummy vernacular annexed bulletin hurricanes niger spanking sailing reproduced relentless hydrogen
victorian decisive honda pleading seoul hooray conferences fridays westminster terra wichita felix standalone velocity
distinctive collaborating glossary luna shalom soapboxing javascript mathematicians vienna liga barnes malaysian
barrett vita sharealike bwilkins redskins watts lays fran courageous haul shanghai talents payback shrink footy hari
beers prescribed advisors liver humanities periodically cone fined highschool seniors sixteen packs definitively
exploits tenth overtime jill sketchy carriers poisoned vids transphobic turf neatly radicals risking guarantees reeks
blacklisted leon rests testosterone lurking silencing premises outweigh discovering dwelling amateurs tanzania enables
factions attain lobster dogmatic junction yang cereal actresses shortcomings debunking infinitely mantra anecdote
therapeutic bricks bean brussels fundraiser aiding exhaustive deviant afterall forgiving diabetes discern remake
famine predates shrinking specs flush blogging unicorn exploring toned enlightening harmed coats depict abort
executives reposted contractor mold develops masterpiece heavier refutes agreeable lobbyists rocked truce nominees
cogent aborted inaccuracy inhabited facist plantation hydro shields masquerading drowning sacramento presentations
papal clans imam backbone slit barn palmer sticker gorilla liberated merriam disparage inland rodriguez skies tracy
thereafter automobile rediculous analogous submarine edges emphasized gmail regiment fourteen spammer disambiguate
wikisource nrhp auburn catalan autoblocked qualifier bama miguel celtics pmanderson dreamguy parked supervisor reunion
unconscious impatient costumes sheffield smoothly exhaust expiry booking blur jewelry cooperative rushing purse
billing offs accidently voat doubting prolonged escalated exercised considerate coma railways notoriously bugging
backyard distinctly cellphone vintage shuffle falsified circlejerk uncovered werent brighter commissioned psych
supermarket boils delicate documentaries masse encompasses curriculum stickers admiration pact pyramid prints wired
esoteric crusaders devotion bumper misnomer coworker imbalance noticeable gestures leslie critiques cowardice mice
marilyn janitor fetus survives inventions revoke crushing deity calvin misspelling bathrooms rosa veil arrangements
kidnapping ambulance ulterior leash sherlock redo wandering partition adjectives mole rosie gears imperialist
assassinated oceans grasping attracting kumar righteousness dependence hangout realities vowels lumped embarrass beds
equivalence subsidized hayes leaking roosevelt reinforces assed gestapo filters ascertain peddling finances fruitful
babylon collage segments visibility wagon gloves pensions slovenia attorneys birthdays literate parole deceive
unfriendly aided bennett prudent epithet skeptic boehner shaw baltic danielle supposition rash marcus covert weary
photographic polices lungs labs retention outdoor intervening meredith compact vermont trent truely mohammad mongols
fiddle igor orchestra cincinnati squirrel giano rudd wikilinked sultan catalog parenthesis skyline prev acquisition
conveyed summarise outnumbered hist subcategories ronaldo diva merges evropa princeton suro raja beckjord christina
talkcontribs aldo sheamus darren tablet psychiatrist thnx sweetest purity shaping liquor adrian pixels starve
religiously woulda travelled frames unusually pencil pertain swiftly expedition chem enduring owing wonderland
disgruntled someplace embracing solitary viking shelters inferiority noose humane mania favours beasts menace dodged
rationalize economies tallest evolving technological southerners abomination paranormal protagonist banged depp
plethora amaze injection vogue peel bets themself earns microwave modes stigma consciously dairy radically tumor
florence gravitational stray unchecked deduction starvation chant sentencing barber manson thrash giveaway recreating
scripted refuting chased generalizations irrespective spitting flex grinding escalation stakes spawned births temples
disasters discouraging rubbing extremes commentaries feast avengers renders unfollow rubin pervasive seize excerpts
millennials diana cosmic risen categorically nair covenant kook multiply tomato dwarf brethren rudely discarded pinch
sensibilities competitor wastes mercilessly mayhem pharmaceutical latitude garcia fundamentalists admiral spaniards
antarctica guinness disrespecting dosent indexed catalogue consultant packages philosophies richardson commanders
stalked amid defy syrians promotions disruptions engages satellites
`
  .trim()
  .split(/\s+/);
