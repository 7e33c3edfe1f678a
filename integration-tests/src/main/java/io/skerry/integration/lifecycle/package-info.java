/**
 * Random operations on datasets of every datatype and layout, compared with a map in memory and
 * with an independent decoder of the bytes on disk. Where {@link
 * io.skerry.integration.randomprogram} is about ranks, rounds and many chunks of numbers, this
 * package is about values. Start at {@link io.skerry.integration.lifecycle.LifecycleRun}.
 */
package io.skerry.integration.lifecycle;
