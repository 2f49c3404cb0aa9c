#!/usr/bin/perl
# Gives a command a terminal of its own and answers what it asks:
#
#     terminal.pl ASKED GO ANSWER COMMAND...
#
# Once the question stands, the file ASKED is made; once GO is there, ANSWER is typed. Standard output gets what the command prints there, standard
# error the screen. Ends with the command's exit status. The numbers are those of linux/asm-generic/ioctls.h.
# No module is used: the guest has none.
my ($asked, $go, $answer, @command) = @ARGV;
my $question = 'anything else to leave it: ';

open(my $screen, '+<', '/dev/ptmx') or die "/dev/ptmx: $!";
my $number = pack('i', 0);
ioctl($screen, 0x40045431, $number) or die "TIOCSPTLCK: $!";
ioctl($screen, 0x80045430, $number) or die "TIOCGPTN: $!";
open(my $terminal, '+<', '/dev/pts/' . unpack('i', $number)) or die "its other end: $!";

my $child = fork() // die "fork: $!";
if ($child == 0) {
    open(STDIN, '<&', $terminal) or die "$!";
    open(STDERR, '>&', $terminal) or die "$!";
    close($screen);
    exec(@command) or die "@command: $!";
}
close($terminal);

my $shown = '';
my $typed = 0;
while (sysread($screen, my $piece, 4096)) {   # fails once nobody has the terminal any more
    syswrite(STDERR, $piece);
    $shown .= $piece;
    next if $typed || index($shown, $question) < 0;
    open(my $mark, '>', $asked) or die "$asked: $!";
    close($mark);
    select(undef, undef, undef, 0.02) until -e $go;
    syswrite($screen, "$answer\n");
    $typed = 1;
}
waitpid($child, 0);
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
