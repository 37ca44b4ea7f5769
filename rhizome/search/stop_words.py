"""Words that say little by themselves, in English, Portuguese and Spanish, question words among them.

Accents are folded, as in the tokens they are compared with. They still count a little: "The Who" is a name.
"""

ENGLISH = """
a about after again all also am an and any are as at be because been before being between both but by can could d did
didn do does doesn doing don done down during each few for from further get got had has have having he her here hers
him his how i if in into is isn it its just keep kept ll m many may me might more most much must my no nor not now of
off on once one only or other our ours out over own please re s same shall she should so some somebody someone
something such t than that the their theirs them then there these they this those through to too under until up us use
used ve very was wasn we went were what when where which while who whom whose why will with without won would you your
yours
"""

PORTUGUESE = """
ao aos aquela aquele aquilo as ate com como da das de dela dele depois do dos e ela ele eles em entre era essa esse
esta estao este estou eu foi foram ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos
nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque quais qual quando quanto que quem sao se sem
ser seu so sua tambem te tem temos tinha um uma umas uns voce voces
"""

SPANISH = """
al algo ante antes aquel con cual cuales cuando cuanto cuantos de del desde donde el ella ellos en entre era es esa
ese eso esta estaba estas este esto fue ha han hasta hay la las le les lo los mas me mi mientras mis muy ni nosotros
nuestra nuestro o para pero por porque pues que quien quienes se ser si sin sobre son su sus tambien tanto te tiene
tienen tu un una unas uno unos y ya yo
"""

STOP_WORDS = frozenset((ENGLISH + PORTUGUESE + SPANISH).split())
