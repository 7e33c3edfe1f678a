/** Text from files in a form that is safe to print. Depends on no other package. */
package io.skerry.chunk.text;
