/**
 * Words that people hide with symbols, digits and spaces. The list only un-masks: it restores letters so that the model can read
 * the word, and never decides a verdict. Where a mask leaves a choice, the first word that fits wins: the likeliest come first.
 */
export const MASKED_WORDS: readonly string[] = `
fuck fucking fucked fucker fuckers fucks fuckin fuckoff fuckface fuckhead fuckwit fuckwits fucktard motherfucker motherfuckers
motherfucking motherfuckin mindfuck clusterfuck gtfo
shit shits shitty shitting shithead shitheads shithole shitholes shitface shitbag bullshit bullshitter horseshit dipshit dumbshit
shitstain shitshow
bitch bitches bitching bitchy bitchass bastard bastards
ass asses asshole assholes asshat asshats arse arsehole arseholes dumbass dumbasses jackass jackasses badass fatass smartass
batshit apeshit stfu
cunt cunts cunty dick dicks dickhead dickheads dickface cock cocks cocksucker cocksuckers cocksucking prick pricks
pussy pussies twat twats tits titties titty boobs boobies penis vagina clit clitoris cum cumming cumshot cumshots jizz semen
dildo dildos anal anus buttplug blowjob blowjobs handjob rimjob gangbang orgasm orgasms masturbate masturbating masturbation
porn porno pornhub pornography nude nudes naked nudity horny sexy sex sexual hentai milf milfs fetish deepthroat erotic
whore whores whoring slut sluts slutty hooker hookers prostitute prostitutes skank skanks hoe hoes
wank wanker wankers wanking bollocks bugger bloody damn damned dammit goddamn goddamned crap crappy piss pissed pissing tosser
nigger niggers nigga niggas negro negroes coon coons spic spics chink chinks gook gooks kike kikes paki pakis wetback wetbacks
beaner beaners gypsy gypsies raghead ragheads towelhead sandnigger jigaboo darkie porchmonkey redskin cracker honky
faggot faggots fag fags faggy gay gays homo homos dyke dykes tranny trannies shemale lesbian lesbians queer queers sodomite
retard retards retarded spastic mongoloid cripple autistic autist
idiot idiots idiotic moron morons moronic stupid stupidity dumb dumber dumbest imbecile imbeciles loser losers dumbo dimwit
scum scumbag scumbags trash garbage filth filthy vermin pig pigs rat rats cockroach cockroaches subhuman subhumans savage savages
suck sucks sucked sucking sucker suckers jerk jerks jerkoff fool fools foolish freak freaks lame
ugly fat pathetic worthless disgusting creep creepy pervert perverts pedo pedos pedophile pedophiles paedophile paedo nonce groomer
kill kills killed killing killer killers murder murdered murderer murdering die dies dead death dying suicide suicidal hang hanging
rape raped rapes rapist rapists raping molest molester molested stab stabbed stabbing shoot shooting shot bomb bombs bombing
behead beheaded slaughter strangle choke lynch lynched execute massacre attack gun guns knife weapon weapons kys unalive
cutting overdose yourself
hate hated hater haters hatred nazi nazis hitler terrorist terrorists terrorism jihad jihadi muslim muslims jew jews jewish kkk
holocaust genocide racist racists racism sexist sexism
homosexual homosexuals heterosexuals bisexuals transsexual transsexuals feminist feminists
drugs cocaine heroin meth weed viagra cialis casino lottery bitcoin crypto
`
  .trim()
  .split(/\s+/);
