// Phone numbers that regulators keep for fiction: valid in form, and nobody has one.

/** In each of these area codes of North America 555-0100 to 555-0199 (NANPA). */
const areaCodes = [
  '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252',
  '253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320',
  '321 323 325 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 417 419',
  '423 425 430 432 434 435 440 443 469 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518',
  '520 530 540 541 551 559 561 562 563 567 570 571 573 574 580 585 586 601 602 603 605 606 607 608 609 610 612 614',
  '615 616 617 618 619 620 623 626 630 631 636 641 646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712',
  '713 714 715 716 717 718 719 720 724 727 731 732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801',
  '802 803 804 805 806 808 810 812 813 814 815 816 817 818 828 830 831 832 843 845 847 848 850 856 857 858 859 860',
].flatMap((codes) => codes.split(' '))

/** In the United Kingdom a thousand numbers from each of these (Ofcom). */
const british = [
  '113496 114496 115496 116496 117496 118496 121496 131496 141496 151496 161496 207946 191498 292018',
].flatMap((codes) => codes.split(' '))

const ranges: readonly { readonly begin: string; readonly digits: number }[] = [
  { begin: '+447700900', digits: 3 },
  ...british.map((code) => ({ begin: `+44${code}0`, digits: 3 })),
  ...areaCodes.map((code) => ({ begin: `+1${code}55501`, digits: 2 })),
]

/** How many there are. */
export const countOfNumbers = ranges.reduce((sum, { digits }) => sum + 10 ** digits, 0)

/** The one with this index, from 0 on; after the last comes the first. */
export function fictionalNumber(index: number): string {
  let rest = index % countOfNumbers
  for (const { begin, digits } of ranges) {
    if (rest < 10 ** digits) return `${begin}${String(rest).padStart(digits, '0')}`
    rest -= 10 ** digits
  }
  throw new RangeError(`there is no number ${index}`)
}
