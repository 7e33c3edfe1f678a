/**
 * Random operations on chunked datasets of the datatypes in {@link
 * io.skerry.integration.lifecycle.TypeFamily}, compared with a map in memory and with an
 * independent decoder of the bytes on disk. This package tests values; {@link
 * io.skerry.integration.randomprogram} tests ranks, rounds and many chunks of numbers. Start at
 * {@link io.skerry.integration.lifecycle.LifecycleRun}.
 */
package io.skerry.integration.lifecycle;
