// Package wsample draws the indices of a list of weights, each with the
// probability of its weight, word for word as a Solana node does.
//
// Table draws with replacement from weights that stay as they are: the leaders
// of an epoch. Sampler removes what it draws, or what it is told to, and can be
// restored: the order of a Turbine tree. Both map a number x below the sum of
// the weights to the first index whose prefix sum is above x, so they agree
// with each other, and with Rust's WeightedIndex.
//
// # Table
//
// With the weights 40 30 20 10 the prefix sums are 40 70 90 100: x = 39 gives
// index 0, x = 40 gives index 1. A guide cuts the range of x into
// thousands of buckets of equal width, a power of two, so that x >> shift is its
// bucket, and holds for each the first index that the bucket's smallest x can give. With a
// width of 16 that is
//
//	bucket       0   1   2   3   4   5   6
//	smallest x   0  16  32  48  64  80  96
//	guide        0   0   0   1   1   2   3   and the last index, 3, to end the list
//
// x = 66 lies in bucket 4, which starts at index 1; sum 70 is above 66, so the
// index is 1. x = 75, in the same bucket, takes one step more. A bucket in which
// many small weights meet is searched by halves between its guide entry and the
// next one. The last compare is always with a prefix sum: the guide saves time
// and never decides.
//
// # Sampler
//
// Prefix sums cannot be kept while weights go: a removal would change all those
// behind it. The Sampler keeps them in pieces, as a tree in which a node has
// nine children and holds eight left sums, sum k being the weight of its
// children 0 to k. The ninth is not stored: the node's own weight is known from
// above. Eight sums of eight bytes are one cache line. Ten weights
//
//	1 2 3 4 5 6 7 8 9 10
//
// make a root over two nodes:
//
//	root                45 55 55 55 55 55 55 55    (weight 55)
//	  node 1, leaves 0-8   1  3  6 10 15 21 28 36    (weight 45)
//	  node 2, leaf 9      10 10 10 10 10 10 10 10    (weight 10)
//
// To map x = 17, count the sums that are at most x in the root: none, so go to
// child 0 with x = 17. In node 1 five are (1 3 6 10 15): leaf 5, which starts at
// 15 and has weight 21-15 = 6. To remove it, subtract 6 from the sums at and
// after the child taken, on the same path: 39 49 49 ... in the root and 15 22 30
// in the last three of node 1. A removed leaf has width zero and is never met
// again.
//
// Nodes lie in one array, as in a heap: node i has the children 9i+1 to 9i+9,
// and leaves are implied below the last level. With I nodes above the leaves of
// a full tree, leaf j is child I+j. A list of n weights has a tree of height
// h, the smallest with 9^h >= n: 4 for the 730 to 6,561 validators of a cluster.
// Nodes of the last level that lie wholly behind the list are not allocated.
//
// # Backends
//
// The RNG's backend draws from a Table, the Table's own makes it, and WithBackend
// chooses for a Sampler. Draws do not depend on it.
//
// From tables of up to 32,768 weights AVX-512 draws in one function, FillRanks16 of
// chacha20rng, which looks up the words of a moment ago while it makes the next
// ones. It takes half the time of one thing after the other, which is what AVX2
// does, 1,024 draws at a time. Both look up with a guide entry, one step without a
// branch, and a test that nearly always falls the same way. That wants a fine guide,
// of 8 buckets a weight where the caches allow. With a longer list's coarser one
// AVX-512 compares the number with eight sums at once, after the rolls. All fall
// back to a search by halves, so that many small weights in one bucket cost their
// logarithm. Lookup times with the skew of a cluster, as multiples, each way with the
// guide that suits it best (Zen 4):
//
//	                                        1,500 weights   5,000
//	one step, four numbers at a time                 1.00    1.00
//	two numbers at a time                            1.08    1.06
//	one number at a time                             1.18    1.15
//	with 32-bit entries                              1.12    1.05
//	two steps without a branch                       1.35    1.33
//	none                                             1.6     1.7
//	compare with eight sums                          1.30    1.17
//	plain Go                                         1.8     1.7
//
// With 65,000 weights an epoch drawn with the compare takes 0.7 of the time that it
// takes with the step; with 30,000 weights woven steps are still faster. Twice as
// many buckets gain nothing, half as many lose a tenth, a quarter as many 40 %.
// Making the table takes 2 to 5 % of an epoch's draws when its memory is there (see
// Reset), 10 to 20 % when not.
//
// For Samplers AVX2 and AVX-512 have another tree, the wide tree: at the lowest level
// rows of 31 weights, above them nodes of 15 children. Vectors compare 16 or 32
// sums nearly as fast as eight, and there are fewer levels. Even so a draw that
// removes would wait for the search of all levels, since it needs the total that
// the draw before it leaves. Looking ahead shortens that: the row of a word is
// found two words before its turn, in the tree as it is then. Only the search of
// the row waits for the total; it also shows whether the word, after the removals
// between, falls into another row, as one in 14 does over 5,000 weights drawn to
// the end. Times of that, as multiples (prototypes on Zen 4 without the generator):
//
//	rows of 31, looking ahead                 1.00
//	rows of 15; of 23; of 63                  1.03 1.00 1.13
//	looking one, three, four words ahead      1.0
//	without looking ahead                     1.4
//	nine children, one vector a node          1.7
//
// With the generator, AVX2 takes 1.25 times and plain Go 3.4 times as long as
// AVX-512. In plain Go, where each compare costs, nine children are faster.
//
// # What was tried and left out
//
// Figures are of prototypes in native code on one Zen 5 core, for the lookup
// alone. Plain Go takes 1.3 to 1.6 ns for the guide and about 20 for the tree.
//
//   - Binary search over the prefix sums: 47 ns a draw with 1,500 weights and 60
//     with 5,000, since no branch is foreseeable; without branches 7.9 and 10.4.
//     The guide takes 0.6 to 1.1.
//   - The alias method: one step whatever the weights, but it gives other
//     indices for the same words. Leader schedules are defined by prefix sums.
//   - The tree for drawing with replacement: 3.6 ns with many queries under way.
//   - Gathered loads, eight searches in one vector: 4.3 to 12 ns.
//   - Interleaving several queries of the tree by hand: no gain, the core overlaps
//     them.
//   - Five children a node: slower than nine, as the tree is higher and a node
//     fills half a cache line.
//   - Right sums, which change fewer entries for the heavy weights in front: the
//     loop's length is then unforeseeable, and costs more than it saves.
//   - Sentinels written beside the sums of a visited node, which spare two
//     selects: 26 ns against 13, because the next wide load waits for the
//     stores; and queries would no longer be read-only.
package wsample
