/**
 * Tests of code that many threads use at once, by tools that look for the rare interleaving. Only
 * {@code -Pstress} builds them.
 *
 * <p><b>Races</b> (jcstress): two threads and a few operations each, run millions of times in every
 * way of compiling them; a class with {@code @JCStressTest} in any package is found by itself.
 *
 * <p><b>Linearizability</b> (Lincheck): random programs beside a model for one thread; a class of
 * operations, and a JUnit test that calls {@link io.skerry.stress.Linearizability}.
 *
 * <p>Both lie in the packages of what they test, and see what is private to them.
 */
package io.skerry.stress;
