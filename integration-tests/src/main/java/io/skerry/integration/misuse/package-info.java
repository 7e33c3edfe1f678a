/**
 * Cases in which ranks make different collective calls: no rank may hang, and every rank must get
 * an exception.
 */
package io.skerry.integration.misuse;
