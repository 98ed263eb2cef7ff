// In each of these area codes of North America, the numbers 555-0100 to 555-0199 are reserved for fiction (NANPA). Generated worlds use other numbers, so that a run never takes their contacts for its own.

const areaCodes = [
  '201 202 203 204 207 209 217 218 219 224 225 226 228 229 231 234 236 239 240 248 249 250 251 252 253 254 256 260',
  '262 267 269 270 276 289 301 302 304 306 307 308 309 310 315 316 317 318 319 320 321 325 330 334 336 337 339 343',
  '351 352 360 361 365 386 403 405 406 409 413 416 417 418 419 423 425 430 431 432 434 435 437 438 440 443 450 469',
  '478 479 480 484 501 506 507 509 514 515 516 517 518 519 530 540 541 548 551 559 561 562 563 567 570 571 573 574',
  '579 580 581 586 587 601 603 604 605 606 607 609 610 613 618 620 623 626 630 631 636 639 641 647 650 651 660 661',
  '662 678 682 701 703 705 706 707 708 709 712 714 715 717 719 720 724 727 731 732 734 740 754 757 760 763 765 770',
  '772 774 775 778 780 781 785 786 802 803 805 806 807 810 812 814 815 817 818 819 825 828 830 831 832 843 845 847',
  '848 850 856 857 858 859 862 863 864 865 867 870 872 873 878 902 903 905 906 907 908 909 910 912 913 914 915 917',
  '918 920 925 928 929 930 931 934 936 937 938 940 941 947 949 951 952 954 956 959 970 971 972 973 978 979 980 984',
].flatMap((codes) => codes.split(' '))

export const countOfNumbers = 100 * areaCodes.length

/** After the last number comes the first. */
export function fictionalNumber(index: number): string {
  const at = index % countOfNumbers
  return `+1${areaCodes[Math.floor(at / 100)] ?? ''}55501${String(at % 100).padStart(2, '0')}`
}

/** `undefined` for a number that is not reserved for fiction. */
export function indexOfNumber(phone: string): number | undefined {
  const [, code = '', rest] = /^\+1(\d{3})55501(\d\d)$/.exec(phone) ?? []
  return areaCodes.includes(code) ? 100 * areaCodes.indexOf(code) + Number(rest) : undefined
}
