/**
 * Cases in which ranks make different collective calls, or in which one rank passes an invalid
 * argument: no rank may hang, and every rank must get an exception.
 */
package io.skerry.integration.misuse;
