// A bare Node script: what any command costs at least.
process.stdout.write("done\n");
