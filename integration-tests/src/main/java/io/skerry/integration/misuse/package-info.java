/** Ranks that make different collective calls: none hangs, and every rank gets an exception. */
package io.skerry.integration.misuse;
